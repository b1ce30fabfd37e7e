"""The reader's desk: `minigrad-course lab`, the workbook that it opens, and web pages."""

import sys

# Jupyter imports jsonschema, which spends two seconds on a grammar of web addresses. If it cannot
# import the grammar, it does not check addresses, and there is none to check here.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
