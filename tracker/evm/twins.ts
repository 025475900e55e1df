// One balance, two contracts that report it: a replaced token keeps its old address alive, and both emit the same Transfer.
// Counted as two tokens, a plain sale would look like two; so one of the twins is dropped.
import type { TokenMove } from "./token-move.ts";
import { ZERO_ADDRESS } from "./wire.ts";

/** Old address → its replacement; the pair counts as twins only in transactions where both report the same. */
const REPLACED = new Map<string, string>([
  // Monerium's euro, pound, dollar and króna: Ethereum, Gnosis, Polygon.
  ["0x3231cb76718cdef2155fc47b5286d82e6eda273f", "0x39b8b6385416f4ca36a20319f70d28621895279d"],
  ["0x7ba92741bf2a568abc6f1d3413c58c6e0244f8fd", "0x78a20b7af85156b4389a349aa4c96efc2e509768"],
  ["0xbc5142e0cc5eb16b47c63b0f033d4c2480853a52", "0x05968f40939fdc016ad58f82cd08da884825ad55"],
  ["0xc642549743a93674cf38d6431f75d6443f88e3e2", "0x38d22bd604c4549e2cc15e94b8e22e6fe4ae82b4"],
  ["0xcb444e90d8198415266c6a2724b7900fb12fc56e", "0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430"],
  ["0x5cb9073902f2035222b9749f8fb0c9bfe5527108", "0x8e34bfec4f6eb781f9743d9b4af99cd23f9b7053"],
  ["0x20e694659536c6b46e4b8be8f6303ffcd8d1df69", "0x50d1a74f4b6dcacddd97fd442c0e22a4c97f2b7f"],
  ["0xd8f84bf2e036a3c8e4c0e25ed2aae0370f3ccca8", "0x614bd419d3735c9eb51542c06e5acc09a9953f61"],
  ["0x18ec0a6e18e5bc3784fdd3a3634b31245ab704f6", "0xe0aea583266584dafbb3f9c3211d5588c73fea8d"],
  ["0x75792cbdb361d80ba89271a079efee62c29fa324", "0x646beea7a02fdada34c8e118949fe32350ab2206"],
  ["0x64e97c1a6535afd4a313ef46f88a64a34250b719", "0x91e2b584908c2807efc9f846e0c2a1fe875c5141"],
  ["0xf1bbf27a9d659d326efbfa5d284ebaefb803983d", "0xd053fc09e8f05a43da4ecc40a750559c938c8131"],
]);

/** Two unknown contracts are considered twins after this many transfers between different parties; one may be coincidence. */
const PAIRS_MIN = 2;

/** One contract's transfers in a transaction, in order. */
interface Story {
  said: string[];
  isMinted: boolean;
}

/** Each contract's transfers are collected once and each pair compared once: strangers control how many there are. */
export function withoutTwins(moves: readonly TokenMove[]): TokenMove[] {
  const texts = moves.map(sayOf);
  const stories = storiesOf(moves, texts);
  const dropped = new Set<string>();
  for (const [first, second] of neighbours(moves, texts)) {
    const older = REPLACED.get(first) === second ? first : REPLACED.get(second) === first ? second : null;
    const drop = older ?? second;
    if (dropped.has(drop) || dropped.has(first)) continue;
    const [one, other] = [stories.get(first), stories.get(second)];
    if (!one || !other) continue;
    // When one deposit is split into two tokens, both are minted in equal amounts and move together; they are still two.
    if (older === null && one.isMinted) continue;
    if (isSame(one, other, older === null ? PAIRS_MIN : 1)) dropped.add(drop);
  }
  return dropped.size === 0 ? [...moves] : moves.filter(({ token }) => !dropped.has(token));
}

function storiesOf(moves: readonly TokenMove[], texts: readonly string[]): Map<string, Story> {
  const stories = new Map<string, Story>();
  for (const [index, { token, from, to }] of moves.entries()) {
    const story = stories.get(token) ?? { said: [], isMinted: false };
    story.said.push(String(texts[index]));
    story.isMinted ||= from === ZERO_ADDRESS || to === ZERO_ADDRESS;
    stories.set(token, story);
  }
  return stories;
}

/** Pairs of contracts with identical consecutive reports; each pair once. */
function neighbours(moves: readonly TokenMove[], texts: readonly string[]): Iterable<[string, string]> {
  const pairs = new Map<string, [string, string]>();
  for (const [index, { token }] of moves.entries()) {
    const before = moves[index - 1]?.token;
    if (before === undefined || before === token || texts[index - 1] !== texts[index]) continue;
    pairs.set(`${before} ${token}`, [before, token]);
  }
  return pairs.values();
}

/** Both report the same transfers in the same order, between enough different parties. */
function isSame({ said }: Story, other: Story, partiesMin: number): boolean {
  return (
    said.length === other.said.length &&
    said.every((text, index) => text === other.said[index]) &&
    new Set(said).size >= partiesMin
  );
}

const sayOf = ({ from, to, amountRaw }: TokenMove): string => `${from}${to}${amountRaw}`;
