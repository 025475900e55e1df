/** @jsxImportSource preact */
// The profit from following this trader: with the visitor's size and delay, the verdict, where the rest went, other delays.
import { useState } from "preact/hooks";
import type { CopyAnswer } from "../../client/src/generated.ts";
import { Card, Gain, Stats, Tabs } from "../shared/bits.tsx";
import { counted, percent, share, signedUsd, span, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { pathOf, traderPath } from "./answers.ts";
import { copyCard, ORDERS_PAID_FOR } from "./card-paths.ts";
import { type Bar, bridgeBars } from "./copy-bridge.ts";
import { useCopySliders } from "./copy-sliders.tsx";
import { COPY_WINDOWS, DOUBTS, VERDICTS } from "./copy-verdict.ts";
import { PaperFollow } from "./paper-follow.tsx";
import { Share } from "./share.tsx";

export function CopyCard({ handle }: { handle: string }) {
  const { query } = usePage();
  const [window, setWindow] = useState(
    COPY_WINDOWS.map(([name]) => name).find((name) => name === query.copy) ?? "30d",
  );
  const { sizeUsd, delaySeconds, isSeen, sliders } = useCopySliders(query);
  const terms = { copy: window, size: String(sizeUsd), delay: String(delaySeconds) };
  const answer = useAnswer<CopyAnswer>(
    isSeen
      ? pathOf(`${traderPath(handle)}/copy`, {
          window,
          size: sizeUsd,
          capital: sizeUsd * ORDERS_PAID_FOR,
          delay: delaySeconds,
        })
      : null,
  );
  return (
    <Card
      title="Copy this trader"
      id="copy"
      aside={<Tabs label="Window of the copy" values={COPY_WINDOWS} current={window} onChoose={setWindow} />}
    >
      {sliders}
      <Loaded
        answer={answer}
        rows={10}
        isEmpty={(body) => body.follower.orders === 0}
        empty="Nothing in this window could be copied."
      >
        {(body) => (
          <>
            <Copied body={body} />
            <p class="note">
              <Share
                href={pathOf(`/traders/${encodeURIComponent(handle)}`, terms)}
                card={copyCard(handle, terms)}
              />
            </p>
          </>
        )}
      </Loaded>
      <PaperFollow handle={handle} sizeUsd={sizeUsd} delaySeconds={delaySeconds} />
    </Card>
  );
}

function Copied({ body }: { body: CopyAnswer }) {
  const [tone, words] = VERDICTS[body.verdict];
  const { follower } = body;
  return (
    <>
      <p class="verdict">
        <span class={`chip ${tone}`}>{words}</span>{" "}
        {body.doubts.length > 0 ? (
          <span class="soft">because {body.doubts.map((doubt) => DOUBTS[doubt]).join(" and ")}</span>
        ) : null}
      </p>
      <Stats
        small
        of={{
          "You would have": <Gain usd={follower.pnlUsd} />,
          "Nine times out of ten between":
            body.low90Usd === null ? (
              "–"
            ) : (
              // Long figures take two lines.
              <>
                <span class="num">{signedUsd(body.low90Usd)}</span> and{" "}
                <span class="num">{signedUsd(body.high90Usd)}</span>
              </>
            ),
          Return: follower.roi === null ? "–" : percent(follower.roi * 100),
          Won: share(follower.winRate),
          "Deepest fall": share(follower.maxDrawdownPct / 100),
          Orders: follower.orders,
          "Nothing left after":
            body.breakEvenDelaySeconds === null ? "over 5 min" : span(body.breakEvenDelaySeconds * 1_000),
          "Largest order that pays": usd(body.capacityUsd),
        }}
      />
      <WhereItWent body={body} />
      <p class="soft note">
        With {usd(body.terms.capitalUsd)} of capital and {body.terms.botFeeBps / 100}% for the bot.{" "}
        <NotCopied skipped={body.skipped} />A trader's past is no promise.
      </p>
    </>
  );
}

export function NotCopied({ skipped }: Pick<CopyAnswer, "skipped">) {
  const orders = skipped.reduce((sum, { count }) => sum + count, 0);
  return orders > 0 ? <>Not copied: {counted(orders, "order")}. </> : null;
}

/** From the trader's profit to the follower's, and the same at other delays. */
export function WhereItWent({ body }: { body: Pick<CopyAnswer, "bridge" | "ladder"> }) {
  return (
    <div class="histograms">
      <Waterfall bars={bridgeBars(body.bridge)} />
      <Table
        rows={body.ladder}
        keyOf={(rung) => rung.delaySeconds}
        columns={[
          { title: "Behind", class: "num", isRowHead: true, cell: (rung) => `${rung.delaySeconds} s` },
          { title: "Left", class: "right", cell: (rung) => <Gain usd={rung.pnlUsd} /> },
          {
            title: "Return",
            class: "right num",
            cell: (rung) => (rung.roi === null ? "–" : percent(rung.roi * 100)),
          },
          { title: "Priced by the tape", class: "right num soft", cell: (rung) => share(rung.tape) },
        ]}
      />
    </div>
  );
}

function Waterfall({ bars }: { bars: readonly Bar[] }) {
  return (
    <table class="histogram waterfall">
      <caption>Where it went</caption>
      <tbody>
        {bars.map(({ label, usd: amount, from, to, isSum }) => (
          <tr key={label} class={isSum ? "sum" : ""}>
            <th scope="row">{label}</th>
            <td class="histogram-bar">
              <svg
                width="100%"
                height="12"
                viewBox="0 0 100 12"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect
                  class={isSum ? "even" : amount < 0 ? "loss" : "gain"}
                  x={Math.min(from, to)}
                  width={Math.max(0.6, Math.abs(to - from))}
                  height="12"
                />
              </svg>
            </td>
            <td class="right">
              <Gain usd={amount} quiet />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
