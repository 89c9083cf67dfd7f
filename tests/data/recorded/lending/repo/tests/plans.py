from hypothesis import strategies as st

from lending import model

shelves = st.builds(model.Shelf, row=st.integers(0, 9), side=st.sampled_from(["left", "right"]))
readers = st.builds(model.Reader, name=st.text("ab", max_size=3), fines=st.just(0))
loans = st.builds(model.Loan, readers, shelves, st.integers(0, 60))
late = st.integers(14, 60).map(model.overdue)
