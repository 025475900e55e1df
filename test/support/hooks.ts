// Endpoints that misbehave by a seed, and the comparison of their deliveries with the log: every alert that is news, in order,
// at least once, and each hundred of them charged once.
import { WEBHOOK_CHARGE } from "../../contract/webhooks.ts";
import { systemClock } from "../../kit/clock.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import { createAccountData } from "../../service/accounts/account-data.ts";
import type { Store } from "../../service/store/store.ts";

/** An endpoint's behaviour: good, sometimes failing or slow, or redirecting until it is restored. */
export type Manner = "well" | "failing" | "slow" | "redirecting";

export interface Hooks {
  url(manner: Manner, name: string): string;
  /** Ids of the alerts that an endpoint accepted, in order of arrival. */
  taken(name: string): string[];
  /** From now on all behave well. */
  restore(): void;
  stop(): Promise<void>;
}

/** A slow endpoint takes this long: below the deadline, and longer than a good one. */
const SLOW_MS = 3_000;
const SHARE_OF_FAULTS = 0.3;

export function startHooks(seed: string): Hooks {
  const random: Random = seededRandom(seed, "hooks");
  const taken = new Map<string, string[]>();
  let isFixed = false;
  const misbehave = async (manner: string, path: string): Promise<Response | null> => {
    if (isFixed || manner === "well") return null;
    if (manner === "redirecting") return new Response(null, { status: 302, headers: { location: path } });
    if (!random.chance(SHARE_OF_FAULTS)) return null;
    if (manner === "failing") return new Response("no", { status: random.pick([400, 500, 503]) });
    await Bun.sleep(SLOW_MS);
    return null;
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 30,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const [, manner = "", name = ""] = pathname.split("/");
      const body = (await request.json()) as { data: { alerts: { eventId: string | null; id: string }[] } };
      const fault = await misbehave(manner, pathname);
      if (fault) return fault;
      const ids = body.data.alerts.map(({ eventId, id }) => eventId ?? id);
      taken.set(name, [...(taken.get(name) ?? []), ...ids]);
      return new Response(null, { status: 204 });
    },
  });
  return {
    url: (manner, name) => `http://127.0.0.1:${server.port}/${manner}/${name}`,
    taken: (name) => taken.get(name) ?? [],
    restore: () => {
      isFixed = true;
    },
    stop: () => server.stop(true),
  };
}

/** The ids of all alerts after a position that are news, up to the log's end as it is now. */
export async function newsAfter({ log }: Store, position: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = Number(position.split(".").at(-1)); ; ) {
    const page = await log.readAfter(after, { limit: 1_000 });
    for (const event of page) {
      if (event.feed === "chain" || event.isHistory) continue;
      // A push is identified by its position.
      ids.push(event.feed === "push" ? `alrt_${event.at}_${event.seq}` : event.eventId);
    }
    after = page.at(-1)?.seq ?? after;
    if (page.length < 1_000) return ids;
  }
}

/** The journal's charges for an account's deliveries. */
export async function chargedFor(store: Store, accountId: string): Promise<number> {
  const clock = systemClock();
  const data = createAccountData({ database: store.database, clock });
  const charges = await data.charges(accountId, { from: 0, to: clock.now() + 60_000 }, 100_000);
  return charges
    .filter(({ routeId }) => routeId === WEBHOOK_CHARGE)
    .reduce((sum, { credits }) => sum + credits, 0);
}
