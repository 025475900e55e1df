// The identity of a keyless caller: the peer's address, or the one reported by a trusted proxy. One home or
// server owns a whole IPv6 /64, so that is what counts as one caller.
import { BlockList, isIP } from "node:net";

export interface TrustedProxies {
  has(address: string): boolean;
}

/** Addresses and CIDR ranges, as listed in TRUSTED_PROXIES. An invalid one throws a RangeError that names it. */
export function trustedProxies(list: readonly string[]): TrustedProxies {
  const block = new BlockList();
  for (const item of list) {
    const [address = "", bits, more] = item.trim().split("/");
    const family = isIP(address);
    const width = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || more !== undefined || prefix < 0 || prefix > width) {
      throw new RangeError(`"${item}" is not an IP address or CIDR range`);
    }
    block.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
  }
  return {
    has: (address) => {
      const plain = withoutMapping(address);
      const family = isIP(plain);
      return family !== 0 && block.check(plain, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

/** From the peer's address and its X-Forwarded-For to the client's address. */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = trustedProxies(trusted);
  return (peer, forwardedFor) => clientAddress(peer, forwardedFor, proxies);
}

/** A longer header was not written by a proxy; only its end, written by the nearest one, is read. */
const FORWARDED_HOPS_MAX = 20;

/**
 * The client behind a peer. X-Forwarded-For is read from its end, where our own proxies append, up to the first
 * untrusted address: anything a client put before that is ignored.
 */
function clientAddress(peer: string, forwardedFor: string | null, trusted: TrustedProxies): string {
  let client = withoutMapping(peer);
  if (forwardedFor === null || !trusted.has(client)) return client;
  const hops = forwardedFor.split(",").slice(-FORWARDED_HOPS_MAX).reverse();
  for (const hop of hops) {
    const address = withoutMapping(withoutPort(hop.trim()));
    if (isIP(address) === 0) break;
    client = address;
    if (!trusted.has(address)) break;
  }
  return client;
}

/** The subject an address is counted under: IPv4 whole, IPv6 by its first 64 bits. */
export function addressSubject(address: string): string {
  if (!address.includes(":")) return address;
  const plain = withoutMapping(address);
  // The URL parser accepts every spelling of an IPv6 address and returns the canonical one.
  const canonical = URL.parse(`http://[${plain.split("%")[0]}]/`)?.hostname.slice(1, -1);
  return canonical ? `${firstGroups(canonical).join(":")}::/64` : plain;
}

/** The most that one IPv6 customer may own: a /48. IPv4 addresses count individually. */
export function siteSubject(address: string): string {
  const subject = addressSubject(address);
  return subject.endsWith("::/64") ? `${subject.split(":").slice(0, 3).join(":")}::/48` : subject;
}

function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  if (bracketed?.[1]) return bracketed[1];
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.lastIndexOf(":")) : hop;
}

/** The first four of the eight groups of a canonical IPv6 address. */
function firstGroups(canonical: string): string[] {
  const [head = "", tail] = canonical.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].slice(0, 4);
}
