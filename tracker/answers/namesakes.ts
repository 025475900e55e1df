// Counts of tokens whose symbols look the same: anyone can send ten thousand of one name, so nothing here iterates over them.
import { foldName } from "../prices/look-alike.ts";

export interface Namesakes {
  /** How many of them a roster trader bought or sold. */
  traded: number;
  /** No position in any of them was opened before this. */
  heldSince: number;
}

interface NamedToken {
  swappers: number;
  heldSince: number;
  alike: Namesakes;
}

export interface Names {
  of(symbol: string): Namesakes;
  /** To be called after its positions changed. */
  note(token: NamedToken, wasTraded: boolean): void;
  /** Its symbol has changed. */
  move(token: NamedToken, symbol: string): void;
}

export function createNames(): Names {
  const names = new Map<string, Namesakes>();
  const of = (symbol: string): Namesakes => {
    const name = foldName(symbol);
    const found = names.get(name) ?? { traded: 0, heldSince: Number.POSITIVE_INFINITY };
    names.set(name, found);
    return found;
  };
  const note = ({ swappers, heldSince, alike }: NamedToken, wasTraded: boolean) => {
    alike.traded += Number(swappers > 0) - Number(wasTraded);
    alike.heldSince = Math.min(alike.heldSince, heldSince);
  };
  return {
    of,
    note,
    move(token, symbol) {
      token.alike.traded -= Number(token.swappers > 0);
      token.alike = of(symbol);
      note(token, false);
    },
  };
}
