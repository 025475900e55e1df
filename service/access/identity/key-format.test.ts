import { expect, test } from "bun:test";
import fc from "fast-check";
import { withoutSecrets } from "../../../kit/log.ts";
import { hashOfSecret, hintOf, looksValid, mintSecret } from "./key-format.ts";

test("a minted key has the stated form and is found valid", () => {
  for (const mode of ["live", "test"] as const) {
    const secret = mintSecret(mode);
    expect(secret).toMatch(new RegExp(`^ct_${mode}_[0-9A-Za-z]{40}$`));
    expect(looksValid(secret)).toBe(true);
  }
});

test("a key with any one character changed is refused", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 47 }),
      fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
      (place, letter) => {
        const secret = mintSecret("live");
        const changed = secret.slice(0, place) + letter + secret.slice(place + 1);
        return looksValid(changed) === (changed === secret);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("two neighbouring characters swapped are refused", () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 46 }), (place) => {
      const secret = mintSecret("test");
      const swapped =
        secret.slice(0, place) + secret.charAt(place + 1) + secret.charAt(place) + secret.slice(place + 2);
      return looksValid(swapped) === (swapped === secret);
    }),
    { numRuns: 1_000 },
  );
});

test("no text that is not a key is found valid", () => {
  fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => !looksValid(text)));
  expect(looksValid(`ct_live_${"0".repeat(40)}`)).toBe(false);
  expect(looksValid(`${mintSecret("live")} `)).toBe(false);
  expect(looksValid(mintSecret("live").replace("live", "test"))).toBe(false);
});

test("every base62 letter is equally likely in every place", () => {
  const counts = new Map<string, number>();
  const keys = 2_000;
  for (let i = 0; i < keys; i++) {
    for (const letter of mintSecret("live").slice(8, 42)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const expected = (keys * 34) / 62;
  expect(counts.size).toBe(62);
  // Six standard deviations: a fair draw strays this far less than once in ten million runs.
  for (const count of counts.values())
    expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
});

test("what is kept of a key neither is the key nor looks like one to the log's filter", () => {
  const secret = mintSecret("live");
  expect(hintOf(secret).length).toBeLessThan(20);
  expect(secret).not.toContain(hintOf(secret));
  expect(hashOfSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
  expect(withoutSecrets(`a ${secret} b`)).toBe("a [secret] b");
});
