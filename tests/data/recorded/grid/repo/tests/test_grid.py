import grid
import numpy as np
from grid import Side
from hypothesis import Phase, given, settings, strategies as st
from hypothesis.extra import numpy as npst


@given(picture=npst.arrays(np.int8, (1, 2)))
def test_grid_1_brightest_point_is_there(picture):
    assert grid.brightest(picture) in picture


@given(side=st.sampled_from([Side.NORTH, Side.NORTH | Side.EAST]))
def test_grid_2_both_sides_have_walls(side):
    assert len(grid.walls(side)) == len(side)


@given(tile=st.builds(grid.Tile.at_origin, st.sampled_from(["rock", "grass"])))
def test_grid_3_origin_is_a_corner(tile):
    assert grid.is_corner(tile)


@settings(phases=[Phase.generate, Phase.shrink])
@given(n=st.integers(0, 300))
def test_grid_1_no_explicit_phase(n):
    assert grid.brightest(np.array([n], dtype="int16")) == n
