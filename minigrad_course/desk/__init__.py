"""The reader's desk: `minigrad-course lab`, the workbook that it opens, and web pages."""
