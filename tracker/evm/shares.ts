// Tells a share (of a pool, a vault, a lending market) from a token that changed hands. Traded tokens come out of existing
// holdings; a share is minted against a deposit and burned for a withdrawal. Reserves decide, not names.
import { NATIVE } from "../chain.ts";
import { netOf } from "./moves.ts";
import type { TokenMove } from "./token-move.ts";
import { ZERO_ADDRESS } from "./wire.ts";

/** A wallet's token's origin or destination. `converted`: minted or burned, but for something other than it paid or got. */
export type Origin = "traded" | "share" | "pool-share" | "converted";

interface Side {
  token: string;
  amountRaw: bigint;
  wallet: string;
  /** The tokens on the other side of the wallet's flow. */
  opposite: readonly string[];
  moves: readonly TokenMove[];
  wrapped: string | null;
}

/** How a bought token reached the wallet. */
export function originOfBought(side: Side): Origin {
  const { token, amountRaw, wallet, moves } = side;
  if (token === NATIVE || token === side.wrapped) return "traded";
  // Some contracts mint by sending from their own address; only direct sends from there count as minted.
  const straight = sumOf(moves, (move) => move.token === token && move.from === token && move.to === wallet);
  const fromReserves = heldBy(moves, token, wallet, (net) => -net) - straight;
  if (fromReserves * 2n >= amountRaw) return "traded";
  return against(
    side,
    (move) => move.to === token && move.token !== token,
    (net) => -net,
  );
}

/** Where a sold token went. */
export function originOfSold(side: Side): Origin {
  const { token, amountRaw, wallet, moves } = side;
  if (token === NATIVE || token === side.wrapped) return "traded";
  const straight = sumOf(moves, (move) => move.token === token && move.to === token && move.from === wallet);
  // Tokens that the contract took and passed on to burn are in no reserve, so the difference may be negative.
  const toReserves = heldBy(moves, token, wallet, (net) => net) - straight;
  if (toReserves * 2n >= amountRaw) return "traded";
  return against(
    side,
    (move) => move.from === token && move.token !== token,
    (net) => net,
  );
}

/** The total that everyone but the wallet lost or gained of a token. */
function heldBy(
  moves: readonly TokenMove[],
  token: string,
  wallet: string,
  sign: (net: bigint) => bigint,
): bigint {
  const ofToken = moves.filter((move) => move.token === token);
  const holders = new Set(ofToken.flatMap(({ from, to }) => [from, to]));
  holders.delete(wallet);
  holders.delete(ZERO_ADDRESS);
  let sum = 0n;
  for (const holder of holders) {
    const amount = sign(netOf(ofToken, holder).get(token) ?? 0n);
    if (amount > 0n) sum += amount;
  }
  return sum;
}

/**
 * A share's own contract usually takes the deposit and pays the withdrawal: those amounts must be the other side. Anything
 * minted or burned along the way (a share within a share) is not the other side, but a step of the same deposit.
 */
function against(
  { token, opposite, moves, wrapped }: Side,
  passes: (move: TokenMove) => boolean,
  sign: (net: bigint) => bigint,
): Origin {
  const underlying = new Set(moves.filter(passes).map((move) => move.token));
  const isPool = underlying.size > 1;
  for (const each of underlying) {
    const amountRaw = netOf(moves, token).get(each) ?? 0n;
    const size = amountRaw < 0n ? -amountRaw : amountRaw;
    if (each !== wrapped && size > 0n && heldBy(moves, each, token, sign) * 2n < size)
      underlying.delete(each);
  }
  const touches = opposite.some((other) => underlying.has(other === NATIVE && wrapped ? wrapped : other));
  if (underlying.size === 0 || touches) return isPool ? "pool-share" : "share";
  return isPool ? "pool-share" : "converted";
}

const sumOf = (moves: readonly TokenMove[], chosen: (move: TokenMove) => boolean): bigint =>
  moves.reduce((sum, move) => (chosen(move) ? sum + move.amountRaw : sum), 0n);
