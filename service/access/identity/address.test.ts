import { expect, test } from "bun:test";
import fc from "fast-check";
import { addressSubject, createClientAddress, trustedProxies } from "./address.ts";

test("a header from a peer that is not trusted is ignored", () => {
  const address = createClientAddress(["10.0.0.0/8"]);
  expect(address("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
  expect(createClientAddress([])("10.0.0.1", "1.2.3.4")).toBe("10.0.0.1");
});

test("behind trusted proxies the nearest address that is not one of them counts, whatever stands before it", () => {
  const address = createClientAddress(["10.0.0.0/8", "2001:db8::/32"]);
  expect(address("10.0.0.1", "203.0.113.9")).toBe("203.0.113.9");
  expect(address("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.9.9.9")).toBe("203.0.113.9");
  expect(address("::ffff:10.0.0.1", "203.0.113.9:5123")).toBe("203.0.113.9");
  expect(address("2001:db8::1", "[2a00:1::5]:443")).toBe("2a00:1::5");
  expect(address("10.0.0.1", "10.0.0.2, 10.0.0.3")).toBe("10.0.0.2");
  expect(address("10.0.0.1", "203.0.113.9, not an address")).toBe("10.0.0.1");
  expect(address("10.0.0.1", "")).toBe("10.0.0.1");
});

test("a list with a bad entry is refused by its name", () => {
  for (const bad of ["nonsense", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x"]) {
    expect(() => trustedProxies([bad])).toThrow(bad);
  }
});

test("an IPv6 caller is its /64, an IPv4 caller is itself, also when mapped", () => {
  expect(addressSubject("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressSubject("2001:0DB8:0001:0002::")).toBe("2001:db8:1:2::/64");
  expect(addressSubject("::1")).toBe("0:0:0:0::/64");
  expect(addressSubject("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(addressSubject("::ffff:192.0.2.7")).toBe("192.0.2.7");
});

test("addresses count as one exactly when their first 64 bits are the same", () => {
  const groups = (count: number) =>
    fc.array(fc.constantFrom(0, 0, 1, 0xab, 0xffff), { minLength: count, maxLength: count });
  const hex = (parts: number[]) => parts.map((part) => part.toString(16));
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, other, host, otherHost) => {
      const long = [...network, ...host]
        .map((part) => part.toString(16).padStart(4, "0").toUpperCase())
        .join(":");
      const first = addressSubject(long);
      expect(first).toBe(`${hex(network).join(":")}::/64`);
      const second = addressSubject([...hex(other), ...hex(otherHost)].join(":"));
      expect(second === first).toBe(network.join() === other.join());
    }),
  );
});

test("no header makes it fail or name something that is not an address", () => {
  const address = createClientAddress(["127.0.0.1"]);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (header) => {
      expect(address("127.0.0.1", header)).toMatch(/^[0-9a-fA-F.:%a-z]+$/);
    }),
  );
});
