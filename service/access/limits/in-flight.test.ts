import { expect, test } from "bun:test";
import { createInFlight } from "./in-flight.ts";

test("a caller's requests under way count until they end, however many other callers come and go", () => {
  const inFlight = createInFlight();
  const held = [inFlight.enter("held", 2), inFlight.enter("held", 2)];
  expect(inFlight.enter("held", 2)).toBeNull();
  for (let n = 0; n < 5_000; n++) {
    const place = inFlight.enter(`other ${n}`, 1);
    if (place) place.open -= 1;
  }
  expect(inFlight.of("held").open).toBe(2);
  expect(inFlight.enter("held", 2)).toBeNull();
  for (const place of held) if (place) place.open -= 1;
  expect(inFlight.enter("held", 2)).not.toBeNull();
});
