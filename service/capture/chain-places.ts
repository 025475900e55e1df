// Where the chain recorded recent swaps. The chain shows a swap some seconds before the app does; remembering the
// latest lets an app fill carry its block, its block's time and the swap's own id. A forgotten one costs only those.
import { createLru } from "../kit/lru.ts";
import type { AppEvent, CapturedEvent } from "../model/event.ts";

export interface ChainPlace {
  swapId: string;
  block: number;
  at: number;
}

export interface ChainPlaces {
  note(event: CapturedEvent): void;
  find(event: AppEvent): ChainPlace | undefined;
}

/** Twenty seconds of a very busy world (1,000 swaps a second), at about 200 bytes each. */
const REMEMBERED = 20_000;

export function createChainPlaces(): ChainPlaces {
  const places = createLru<string, ChainPlace>(REMEMBERED);
  return {
    note(event) {
      if (event.kind !== "trade") return;
      places.set(`${event.tradeId} ${event.txHash}`, {
        swapId: event.swapId,
        block: event.block,
        at: event.at,
      });
    },
    find: (event) => places.get(`${event.tradeId} ${event.txHash}`),
  };
}
