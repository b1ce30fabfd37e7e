"""Wrong answers to the exercise of the sample chapter."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "99.1": {
        "forgot the factor": {"3 * x**2": "x**2"},
        "raised an error on line 2: `return 3 * x[0] ** 2`": {"x**2": "x[0] ** 2"},
    },
}
