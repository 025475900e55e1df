/** @jsxImportSource preact */
// What following this trader would have earned: one's own size and delay, the verdict, where the rest went, other delays.
import { useState } from "preact/hooks";
import type { CopyAnswer } from "../../client/src/generated.ts";
import { Card, Gain, Stat, Tabs } from "../shared/bits.tsx";
import { counted, percent, share, signedUsd, span, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { pathOf, traderPath } from "./answers.ts";
import { copyCard, ORDERS_PAID_FOR } from "./card-paths.ts";
import { type Bar, bridgeBars } from "./copy-bridge.ts";
import { COPY_WINDOWS, DOUBTS, VERDICTS } from "./copy-verdict.ts";
import { PaperFollow } from "./paper-follow.tsx";
import { Share } from "./share.tsx";

export const SIZES_USD = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
export const DELAYS_SECONDS = [0, 1, 2, 5, 10, 15, 30, 60, 120, 300];

export function CopyCard({ handle }: { handle: string }) {
  const [box, isSeen] = useSeen<HTMLDivElement>();
  const { query } = usePage();
  const [window, setWindow] = useState(
    COPY_WINDOWS.map(([name]) => name).find((name) => name === query.copy) ?? "30d",
  );
  const [size, setSize] = useState(placeIn(SIZES_USD, query.size, 100));
  const [delay, setDelay] = useState(placeIn(DELAYS_SECONDS, query.delay, 5));
  const terms = { copy: window, size: String(SIZES_USD[size]), delay: String(DELAYS_SECONDS[delay]) };
  const sizeUsd = SIZES_USD[size] ?? 100;
  const answer = useAnswer<CopyAnswer>(
    isSeen
      ? pathOf(`${traderPath(handle)}/copy`, {
          window,
          size: sizeUsd,
          capital: sizeUsd * ORDERS_PAID_FOR,
          delay: DELAYS_SECONDS[delay],
        })
      : null,
  );
  return (
    <Card
      title="Copy this trader"
      id="copy"
      aside={<Tabs label="Window of the copy" values={COPY_WINDOWS} current={window} onChoose={setWindow} />}
    >
      <div class="sliders" ref={box}>
        <Slider
          label="Dollars on each buy"
          shown={usd(sizeUsd)}
          steps={SIZES_USD.length}
          at={size}
          onChange={setSize}
        />
        <Slider
          label="Seconds behind"
          shown={`${DELAYS_SECONDS[delay]} s`}
          steps={DELAYS_SECONDS.length}
          at={delay}
          onChange={setDelay}
        />
      </div>
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
      <PaperFollow handle={handle} sizeUsd={sizeUsd} delaySeconds={DELAYS_SECONDS[delay] ?? 5} />
    </Card>
  );
}

/** Where an address's value is among the steps of a slider, or where the usual one is. */
function placeIn(steps: readonly number[], wanted: string | undefined, usual: number): number {
  const at = steps.findIndex((step) => String(step) === wanted);
  return at < 0 ? steps.indexOf(usual) : at;
}

export function Slider(props: {
  label: string;
  shown: string;
  steps: number;
  at: number;
  onChange: (at: number) => void;
}) {
  const [held, setHeld] = useState<number | null>(null);
  return (
    <label class="slider">
      <span>
        {props.label} <b class="num">{props.shown}</b>
      </span>
      <input
        type="range"
        min="0"
        max={props.steps - 1}
        step="1"
        value={held ?? props.at}
        aria-valuetext={props.shown}
        onInput={(event) => setHeld(event.currentTarget.valueAsNumber)}
        onChange={(event) => {
          setHeld(null);
          props.onChange(event.currentTarget.valueAsNumber);
        }}
      />
    </label>
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
      <dl class="stats small">
        <Stat name="You would have">
          <Gain usd={follower.pnlUsd} />
        </Stat>
        <Stat name="Nine times of ten between">
          <span class="num">
            {body.low90Usd === null ? "–" : `${signedUsd(body.low90Usd)} and ${signedUsd(body.high90Usd)}`}
          </span>
        </Stat>
        <Stat name="Return">
          <span class="num">{follower.roi === null ? "–" : percent(follower.roi * 100)}</span>
        </Stat>
        <Stat name="Won">
          <span class="num">{share(follower.winRate)}</span>
        </Stat>
        <Stat name="Deepest fall">
          <span class="num">{share(follower.maxDrawdownPct / 100)}</span>
        </Stat>
        <Stat name="Orders">
          <span class="num">{follower.orders}</span>
        </Stat>
        <Stat name="Nothing left after">
          <span class="num">
            {body.breakEvenDelaySeconds === null ? "over 5 min" : span(body.breakEvenDelaySeconds * 1_000)}
          </span>
        </Stat>
        <Stat name="Largest order that pays">
          <span class="num">{usd(body.capacityUsd)}</span>
        </Stat>
      </dl>
      <WhereItWent body={body} />
      <p class="soft note">
        With {usd(body.terms.capitalUsd)} of capital and {body.terms.botFeeBps / 100}% for the bot.{" "}
        {body.skipped.length > 0
          ? `Not copied: ${counted(
              body.skipped.reduce((sum, { count }) => sum + count, 0),
              "order",
            )}. `
          : null}
        The past of a trader is no promise.
      </p>
    </>
  );
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
