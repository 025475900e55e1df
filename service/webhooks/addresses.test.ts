// A5: no address but a public one is ever delivered to, however it is written.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isPublicAddress } from "./addresses.ts";
import { readTarget } from "./target.ts";

type Bytes = [number, number, number, number];
const byte = fc.integer({ min: 0, max: 255 });
const dotted = (bytes: Bytes) => bytes.join(".");
const hex = (bytes: Bytes) => {
  const word = (high: number, low: number) => ((high << 8) | low).toString(16);
  return `${word(bytes[0], bytes[1])}:${word(bytes[2], bytes[3])}`;
};

/** Every network that must be refused, as a generator of its addresses. */
const PRIVATE: Record<string, fc.Arbitrary<Bytes>> = {
  "this host": fc.tuple(fc.constant(0), byte, byte, byte),
  "10/8": fc.tuple(fc.constant(10), byte, byte, byte),
  "carrier-grade NAT": fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  loopback: fc.tuple(fc.constant(127), byte, byte, byte),
  "link-local and metadata": fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  "172.16/12": fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  "192.168/16": fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  benchmarks: fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), byte, byte),
  multicast: fc.tuple(fc.integer({ min: 224, max: 239 }), byte, byte, byte),
  "reserved and broadcast": fc.tuple(fc.integer({ min: 240, max: 255 }), byte, byte, byte),
};

const refusedUrl = (host: string) =>
  expect(() => readTarget(`https://${host}/x`, "public")).toThrow(/url must/);

for (const [name, addresses] of Object.entries(PRIVATE)) {
  test(`${name} is refused: plain, mapped, translated, tunnelled, and in every spelling of a URL`, () => {
    fc.assert(
      fc.property(addresses, (bytes) => {
        const number = bytes.reduce((sum, one) => sum * 256 + one, 0);
        expect(isPublicAddress(dotted(bytes))).toBe(false);
        for (const hidden of [
          `::ffff:${dotted(bytes)}`,
          `::ffff:${hex(bytes)}`,
          `::${hex(bytes)}`,
          `::ffff:0:${hex(bytes)}`,
          `64:ff9b::${hex(bytes)}`,
          `64:ff9b:1::${hex(bytes)}`,
          `2002:${hex(bytes)}::1`,
          `2001::${hex(bytes)}`,
          `fe80::${hex(bytes)}`,
        ]) {
          expect([hidden, isPublicAddress(hidden)]).toEqual([hidden, false]);
          refusedUrl(`[${hidden}]`);
        }
        const octal = bytes.map((one) => `0${one.toString(8)}`).join(".");
        for (const spelled of [
          dotted(bytes),
          String(number),
          `0x${number.toString(16)}`,
          octal,
          `${dotted(bytes)}.`,
        ])
          refusedUrl(spelled);
      }),
    );
  });
}

test("an IPv6 address outside what is given out to the public is refused", () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((one) => one.toString(16));
  const first = fc.integer({ min: 0, max: 0xffff }).filter((one) => one < 0x2000 || one > 0x3fff);
  fc.assert(
    fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (start, rest) => {
      expect(isPublicAddress([start.toString(16), ...rest].join(":"))).toBe(false);
    }),
  );
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "99.255.255.255",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));
test.each(["2606:4700:4700::1111", "2a00:1450:4001::200e", "2400:cb00::1"])("%s is public", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);
test.each([
  "168.63.129.16",
  "fd00:ec2::254",
  "::1",
  "::",
  "fe80::1%eth0",
  "ff02::1",
  "2001:db8::1",
  "nonsense",
  "",
])("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));

test.each([
  ["http://hooks.example/x", "https"],
  ["ftp://hooks.example/x", "https"],
  ["https://user:pw@hooks.example/x", "user name"],
  ["https://user@hooks.example/x", "user name"],
  ["https://localhost/x", "public host name"],
  ["https://a.localhost/x", "public host name"],
  ["https://printer.local/x", "public host name"],
  ["https://metadata.google.internal/x", "public host name"],
  ["https://intranet/x", "public host name"],
  ["https://hooks.example:22/x", "port"],
  ["https://hooks.example:80/x", "port"],
  ["https:///x", "url must"],
])("%s is refused before anything is looked up", (url, word) => {
  expect(() => readTarget(url, "public")).toThrow(word);
});
test.each(["https://hooks.example/x?y=1", "https://hooks.example:8443/", "https://8.8.8.8/"])(
  "%s is taken",
  (url) => expect(readTarget(url, "public").url.href).toBe(url),
);
