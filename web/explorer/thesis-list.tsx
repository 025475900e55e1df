/** @jsxImportSource preact */
// Theses as people wrote them, rendered as text whatever they contain, each with its outcome: the position's profit, and the
// token's price then and now.
import type { CandlesAnswer, Thesis, TokenOverview } from "../../client/src/generated.ts";
import { Ago, Change, Gain, TokenCell, TraderLink } from "../shared/bits.tsx";
import { counted, netUsd, price, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { pathOf } from "./answers.ts";
import { tradeCard } from "./card-paths.ts";
import { Share } from "./share.tsx";

export function ThesisList({
  theses,
  by,
  priced = false,
}: {
  theses: readonly Thesis[];
  by: "both" | "token" | "trader";
  priced?: boolean;
}) {
  return (
    <ol class={`theses ${by === "both" ? "wide" : ""}`}>
      {theses.map((thesis) => (
        <li key={thesis.id} data-row>
          <p class="thesis-head">
            {by === "token" ? null : (
              <TraderLink
                handle={thesis.handle}
                name={by === "both" ? thesis.name : null}
                avatar={thesis.avatar}
              />
            )}
            {by === "trader" ? null : (
              <TokenCell
                token={{ ...thesis.token, image: thesis.tokenImage }}
                networkId={thesis.networkId}
                chain={thesis.chain}
                size={18}
              />
            )}
            {thesis.isDev ? (
              <span class="chip amber" title="Deployed this token, or is an insider of it">
                dev
              </span>
            ) : null}
          </p>
          <blockquote dir="auto">{thesis.text}</blockquote>
          <p class="thesis-foot soft">
            <Ago at={Date.parse(thesis.ts)} />
            {thesis.likes === undefined ? null : <span>{counted(thesis.likes, "like")}</span>}
            {thesis.tradeUsd === null ? null : <span>put in {usd(thesis.tradeUsd)}</span>}
            <Outcome thesis={thesis} />
            {priced ? <PriceSince thesis={thesis} /> : null}
            {priced && thesis.tradeId !== null ? (
              <Share href={`/trades/${thesis.tradeId}?show=thesis`} card={tradeCard(thesis.tradeId, true)} />
            ) : null}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Outcome({ thesis }: { thesis: Thesis }) {
  const net = netUsd(thesis);
  if (net === null) return null;
  return (
    <span>
      so far{" "}
      {thesis.tradeId === null ? (
        <Gain usd={net} />
      ) : (
        <a class="plain-link" href={`/trades/${thesis.tradeId}`}>
          <Gain usd={net} />
        </a>
      )}
    </span>
  );
}

/** Loaded when in view: the candle of that minute, and the current quote. Its line is there before, so that nothing moves. */
function PriceSince({ thesis }: { thesis: Thesis }) {
  const [box, isSeen] = useSeen<HTMLSpanElement>();
  const base = `/v2/token/${encodeURIComponent(thesis.token.address)}`;
  const then = useAnswer<CandlesAnswer>(
    isSeen
      ? pathOf(`${base}/candles`, {
          networkId: thesis.networkId,
          interval: "1m",
          limit: 1,
          from: new Date(Math.floor(Date.parse(thesis.ts) / 60_000) * 60_000 - 60_000).toISOString(),
        })
      : null,
  );
  const now = useAnswer<TokenOverview>(isSeen ? pathOf(base, { networkId: thesis.networkId }) : null);
  const [before, after] = [then.body?.candles[0]?.c ?? null, now.body?.quote.priceUsd ?? null];
  return (
    <span ref={box} class="since">
      price {price(before)} → {price(after)}
      {before === null || after === null ? null : (
        <>
          {" "}
          <Change points={before > 0 ? (after / before - 1) * 100 : null} />
        </>
      )}
    </span>
  );
}
