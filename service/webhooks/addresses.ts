// Which addresses a webhook may be delivered to: only those of the public internet. Anything that could lead to this
// machine, its network or its provider's metadata is refused, even an IPv4 address embedded in an IPv6 one.
import { BlockList, isIP } from "node:net";

/** Not public, by IANA's registries of special-purpose addresses. */
const REFUSED_IPV4: readonly [network: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  // Shared by carriers, and by some clouds for metadata.
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Looks public, and is a cloud's own service on every machine in it.
  ["168.63.129.16", 32],
];

/** Inside the public range, but not public: protocols of their own, documentation, and IPv4 in disguise (Teredo, 6to4). */
const REFUSED_IPV6: readonly [network: string, bits: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

/** All that was ever given out; mapped, translated, local and multicast addresses are outside it. */
const GLOBAL_UNICAST = ["2000::", 3] as const;

const refused = new BlockList();
for (const [network, bits] of REFUSED_IPV4) refused.addSubnet(network, bits, "ipv4");
for (const [network, bits] of REFUSED_IPV6) refused.addSubnet(network, bits, "ipv6");
const global = new BlockList();
global.addSubnet(...GLOBAL_UNICAST, "ipv6");

export function isPublicAddress(address: string): boolean {
  // A zone is of this machine's own links.
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !refused.check(address, "ipv4");
  return family === 6 && global.check(address, "ipv6") && !refused.check(address, "ipv6");
}
