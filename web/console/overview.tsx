/** @jsxImportSource preact */
// Plan, credits with the day they run out, and spending by day and by call.

import type { MeAnswer, UsageAnswer } from "../../client/src/generated.ts";
import { DAY_MS } from "../../kit/units.ts";
import { Card, Moment, Stats } from "../shared/bits.tsx";
import { now } from "../shared/clock.ts";
import { compact, count, date, day } from "../shared/format.ts";
import { Empty, NotYet } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { Bars } from "./bars.tsx";
import { forecast } from "./forecast.ts";
import { me, service } from "./state.ts";
import { useRead } from "./use-read.ts";

const DAYS = 30;

export function Overview() {
  const { body: byDay, error: dayError } = useRead(() => service().getUsage({ groupBy: "day" }));
  const { body: byRoute, error: routeError } = useRead(() => service().getUsage({ groupBy: "route" }));
  const mine = me.value;
  if (mine === null) return null;
  return (
    <div class="console-grid">
      <Card title="Credits">
        <Credits mine={mine} usage={byDay} />
      </Card>
      <Card
        title={`Plan: ${mine.plan}`}
        aside={
          <a class="chip green" href="/pricing">
            Change
          </a>
        }
      >
        <Stats
          of={{
            "Requests a minute": count(mine.rate.requestsPerMinute),
            "Sockets at once": count(mine.rate.socketsAtOnce),
            "Wallet resolutions left": count(mine.resolutions.remaining),
            "App feed": (
              <span>
                {mine.streams.appFeed.delaySeconds === 0
                  ? "real time"
                  : `${mine.streams.appFeed.delaySeconds} s late`}
              </span>
            ),
            "On-chain stream": <span>{mine.streams.onChain.included ? "included" : "not in this plan"}</span>,
            "Plan ends": mine.planExpiresAt === null ? "does not" : date(Date.parse(mine.planExpiresAt)),
          }}
        />
      </Card>
      <Card title="Credits by day, 30 days" class="wide-card">
        {byDay === null ? (
          <NotYet error={dayError} rows={5} />
        ) : byDay.totalCredits === 0 ? (
          <Empty>Nothing was spent yet. Try a call in the playground.</Empty>
        ) : (
          <Bars label="Credits by day" bars={daysOf(byDay)} />
        )}
      </Card>
      <Card title="By call" class="wide-card">
        {byRoute === null ? (
          <NotYet error={routeError} rows={5} />
        ) : byRoute.rows.length === 0 ? (
          <Empty>Nothing was spent yet.</Empty>
        ) : (
          <ByRoute usage={byRoute} />
        )}
      </Card>
    </div>
  );
}

function Credits({ mine, usage }: { mine: MeAnswer; usage: UsageAnswer | null }) {
  const { credits } = mine;
  const used = credits.monthly > 0 ? Math.min(1, credits.usedThisMonth / credits.monthly) : 0;
  return (
    <>
      <Stats
        of={{
          Left: credits.remaining.toLocaleString("en-US"),
          "Used this month": `${count(credits.usedThisMonth)} of ${count(credits.monthly)}`,
          Prepaid: count(credits.prepaid),
          [credits.resetsAt !== null && !mine.renews ? "Ends with the plan" : "Renews"]: (
            <span class="num">
              {credits.resetsAt === null ? "does not" : <Moment at={Date.parse(credits.resetsAt)} />}
            </span>
          ),
        }}
      />
      <meter class="used" min={0} max={1} value={used} aria-label="Used of this month's credits">
        {Math.round(used * 100)}%
      </meter>
      <p class="note soft">{usage === null ? "…" : words(mine, usage)}</p>
    </>
  );
}

function words(mine: MeAnswer, usage: UsageAnswer): string {
  const seen = forecast(usage.rows, mine.credits, now());
  if (seen.runsOutAt === null) return "Nothing was spent in the last days, so there is nothing to forecast.";
  const pace = `At ${compact(seen.perDay)} credits a day, as ${seen.days < 1.5 ? "today" : `over the last ${Math.round(seen.days)} days`},`;
  if (seen.lasts)
    return `${pace} this month's credits last until ${mine.renews ? "they renew" : "the plan ends"}.`;
  return `${pace} they run out on ${day(seen.runsOutAt)}. Top up, or move to a larger plan.`;
}

function daysOf(usage: UsageAnswer): { name: string; value: number }[] {
  const spent = new Map(usage.rows.map(({ group, credits }) => [group, credits]));
  const last = Math.floor(Date.parse(usage.to) / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, index) => {
    const at = last - (DAYS - 1 - index) * DAY_MS;
    return { name: day(at), value: spent.get(new Date(at).toISOString().slice(0, 10)) ?? 0 };
  });
}

function ByRoute({ usage }: { usage: UsageAnswer }) {
  const rows = [...usage.rows].sort((a, b) => b.credits - a.credits);
  const largest = rows[0]?.credits ?? 1;
  return (
    <Table
      rows={rows}
      keyOf={(row) => row.group}
      columns={[
        {
          title: "Call",
          isRowHead: true,
          cell: (row) => <a href={`/docs#${row.group}`}>{row.group}</a>,
        },
        { title: "Calls", class: "right num", cell: (row) => count(row.calls) },
        {
          title: "Share",
          class: "bar",
          isTitleHidden: true,
          cell: (row) => (
            <meter
              class="share"
              min={0}
              max={largest}
              value={row.credits}
              aria-label={`${row.group}: ${row.credits} credits`}
            />
          ),
        },
        { title: "Credits", class: "right num", cell: (row) => row.credits.toLocaleString("en-US") },
      ]}
    />
  );
}
