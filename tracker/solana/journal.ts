// The Solana reader's state, and the steps that change it together with the stored data.
import { type BlockRead, type Sink, SOLANA_CHAIN_ID } from "../chain.ts";
import { createStoredPlace } from "../stored-place.ts";
import {
  emptyState,
  type PendingBlock,
  readState,
  type SolanaState,
  withPending,
  writeState,
} from "./state.ts";

export interface StateJournal {
  readonly state: SolanaState;
  readonly isLoaded: boolean;
  load(): Promise<void>;
  forget(): void;
  note(next: SolanaState): void;
  apply(reads: BlockRead[], pending: PendingBlock[], state?: SolanaState): Promise<void>;
  retract(lost: PendingBlock[]): Promise<void>;
  finalize(next: SolanaState): Promise<void>;
}

export function createJournal(sink: Sink, name: string): StateJournal {
  const place = createStoredPlace<SolanaState>(sink, name, { encode: writeState, decode: readState });
  return {
    get state() {
      return place.current;
    },
    get isLoaded() {
      return place.isLoaded;
    },
    async load() {
      if ((await place.load()) === null) place.note(emptyState());
    },
    forget: place.forget,
    note: place.note,
    apply: (reads, pending, state = place.current) =>
      place.step(withPending(state, pending), (cursor) => sink.apply(reads, cursor)),
    async retract(lost) {
      const hashes = new Set(lost.map(({ hash }) => hash));
      const newestFirst = lost
        .toSorted((a, b) => b.slot - a.slot)
        .map(({ slot, hash }) => ({ height: slot, hash }));
      const state = place.current;
      const pending = state.pending.filter(({ hash }) => !hashes.has(hash));
      const slots = new Set(lost.map(({ slot }) => slot));
      const scanned = state.scanned?.filter((slot) => !slots.has(slot)) ?? null;
      await place.step({ ...state, pending, scanned }, (cursor) =>
        sink.retract(SOLANA_CHAIN_ID, newestFirst, cursor),
      );
    },
    finalize: (next) => place.step(next, (cursor) => sink.finalize(SOLANA_CHAIN_ID, next.final, cursor)),
  };
}
