// The deployer's holding of a token, if the deployer is a roster trader. Insiders are unknown.
import { SECOND_MS } from "../../kit/units.ts";
import type { WireDev, WireToken } from "../../protocol/shapes/token.ts";
import { positionsOfTrader } from "../books/positions.ts";
import type { KnownToken } from "../books/tokens.ts";
import { wireToken } from "../feeds/items.ts";
import type { Answering } from "./parts.ts";
import { standingAt, wirePosition } from "./positions.ts";

export async function devsOf(
  parts: Answering,
  known: KnownToken,
): Promise<{ token: WireToken; devs: WireDev[] }> {
  const wallet = known.launch.deployer;
  const trader = wallet === null ? undefined : parts.directory.byWallet(wallet);
  const devs: WireDev[] = [];
  if (wallet !== null && trader) {
    const all = await positionsOfTrader(parts.database.read, trader.userId);
    const own = all.filter(({ chainId, token }) => chainId === known.chainId && token === known.token);
    // The last one: the others are closed.
    const last = own.at(-1);
    if (last) {
      const position = wirePosition(trader, await standingAt(parts, last, known));
      const { amount, priceUsd } = position;
      devs.push({
        userId: trader.userId,
        handle: trader.handle,
        wallet,
        isDev: true,
        amount,
        valueUsd: amount === 0 ? 0 : priceUsd === null ? null : amount * priceUsd,
        costBasisUsd: position.costBasisUsd,
        realizedPnlUsd: position.realizedPnlUsd,
        unrealizedPnlUsd: position.unrealizedPnlUsd,
        averageEntryPrice: position.avgEntryPrice,
        averageHoldTimeSeconds: ((position.closedAt ?? parts.clock.now()) - position.openedAt) / SECOND_MS,
        tradeId: position.tradeId,
        thesis: null,
      });
    }
  }
  return { token: wireToken(known), devs };
}
