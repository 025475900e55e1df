import { expect, test } from "bun:test";
import { sparkline } from "./replay.ts";

test("a sparkline goes from its lowest to its highest bar, and is flat without change", () => {
  expect(sparkline([0, 50, 100])).toBe("▁▅█");
  expect(sparkline([-10, 10, -10])).toBe("▁█▁");
  expect(sparkline([7, 7])).toBe("▁▁");
  expect(sparkline([])).toBe("");
});
