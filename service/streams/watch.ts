// Keys behind open sockets are looked at again: at once when a hint says that one changed, and every two seconds
// in any case, so a revoked key's sockets close within 5 seconds even if every hint is lost.

import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import type { Access } from "../access/access.ts";
import { close, type Session } from "./session.ts";

const LOOK_EVERY_MS = 2_000;
const FAILURE = "the keys of open sockets were not reviewed";

export interface Watch {
  start(): void;
  stop(): Promise<void>;
}

export function createWatch(parts: {
  access: Pick<Access, "keys" | "onChange">;
  sessions: ReadonlySet<Session>;
  clock: Clock;
  log: Log;
}): Watch {
  const { access, sessions, clock, log } = parts;
  let stopListening = () => {};

  const review = async (concerned: readonly Session[]) => {
    const ids = new Set(concerned.map((session) => session.terms.keyId).filter((id) => id !== null));
    if (ids.size === 0) return;
    const states = await access.keys.review([...ids]);
    for (const session of concerned) {
      if (session.terms.keyId === null) continue;
      const state = states.get(session.terms.keyId);
      if (!state?.works) close(session, 4001);
      else if (state.plan !== session.terms.plan) close(session, 4003);
    }
  };

  /** A store that does not answer is no reason to cut anybody off; the next look comes soon. */
  const tryReview = (concerned: readonly Session[]) =>
    review(concerned).catch((error) => log.warn(FAILURE, { error }));

  const looking = createLoop({
    failure: FAILURE,
    everyMs: LOOK_EVERY_MS,
    first: "later",
    clock,
    log,
    round: () => review([...sessions]),
  });

  return {
    start() {
      stopListening = access.onChange((hint) => {
        const about = ({ terms }: Session) =>
          hint.kind === "key" ? terms.keyId === hint.keyId : terms.accountId === hint.accountId;
        void tryReview([...sessions].filter(about));
      });
      looking.start();
    },
    async stop() {
      stopListening();
      await looking.stop();
    },
  };
}
