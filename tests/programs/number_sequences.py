"""What a tensor can be made from: any sequence of numbers, and the errors for others."""

import array
import collections

import torch


class Squares:
    def __len__(self):
        return 3

    def __getitem__(self, index):
        if index >= 3:
            raise IndexError
        return index**2


class Endless:
    def __getitem__(self, index):
        return 1.0


def attempt(make, *args, **options):
    try:
        print(make(*args, **options))
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        print(type(error).__name__, str(error).split("\n")[0])


queue = collections.deque([1.0, 2.0])
for data in (
    queue, collections.UserList([1, 2]), array.array("f", [1, 2]), array.array("i", [1, 2]),
    bytearray(b"abc"), memoryview(b"abc"), Squares(), [Squares(), Squares()], [queue, [3, 4]],
    collections.deque(), [bytearray(b"a")], b"abc", [b"abc"], collections.OrderedDict(a=1),
    {1, 2}, {1: 2}.keys(), iter([1]), Endless(), collections.UserString("ab"),
    collections.UserDict(a=1), [collections.UserList([1]), 2], [1, collections.UserList([2])],
    [[1], queue],
):  # fmt: skip
    attempt(torch.tensor, data)
attempt(torch.tensor, queue, dtype=torch.int64)
attempt(torch.as_tensor, queue)
attempt(torch.FloatTensor, queue)
attempt(torch.ones(1).new_tensor, queue)
attempt(torch.ones(1).new, queue)
attempt(torch.ones(1).new, 2.5)
print(torch.ones(1).double().new(2, 3).shape, torch.ones(1).new())

tensors = collections.deque([torch.ones(2), torch.zeros(2)])
for join in (torch.stack, torch.cat, torch.hstack, torch.vstack):
    attempt(join, tensors)
    attempt(join, collections.UserList(tensors))
    attempt(join, "ab")
attempt(torch.einsum, "i,i", tensors)
attempt(torch.zeros, queue)
attempt(torch.zeros, range(2))
attempt(torch.ones(4).reshape, range(2))
attempt(torch.ones(3)[collections.deque([0, 2])].tolist)
