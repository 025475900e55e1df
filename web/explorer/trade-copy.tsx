/** @jsxImportSource preact */
// What following this one trade would have earned, at one's own size and delay.
import { useState } from "preact/hooks";
import type { CopyAnswer, TradeDetail } from "../../client/src/generated.ts";
import { Card, Gain, Stat } from "../shared/bits.tsx";
import { counted, percent, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { pathOf, traderPath } from "./answers.ts";
import { ORDERS_PAID_FOR } from "./card-paths.ts";
import { DELAYS_SECONDS, SIZES_USD, Slider, WhereItWent } from "./copy-card.tsx";

export function TradeCopy({ trade }: { trade: TradeDetail }) {
  const { handle } = trade.trader;
  const [box, isSeen] = useSeen<HTMLDivElement>();
  const [size, setSize] = useState(SIZES_USD.indexOf(100));
  const [delay, setDelay] = useState(DELAYS_SECONDS.indexOf(5));
  const sizeUsd = SIZES_USD[size] ?? 100;
  const terms = { size: sizeUsd, capital: sizeUsd * ORDERS_PAID_FOR, delay: DELAYS_SECONDS[delay] };
  const answer = useAnswer<CopyAnswer>(
    isSeen ? pathOf(`${traderPath(handle)}/copy`, { tradeId: trade.tradeId, ...terms }) : null,
  );
  return (
    <Card title="What following it would have earned" id="copy">
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
        rows={8}
        isEmpty={(body) => body.follower.orders === 0}
        empty="Nothing of this trade could be copied."
      >
        {(body) => (
          <>
            <dl class="stats small">
              <Stat name="You would have">
                <Gain usd={body.follower.pnlUsd} />
              </Stat>
              <Stat name="Return">
                <span class="num">{body.follower.roi === null ? "–" : percent(body.follower.roi * 100)}</span>
              </Stat>
              <Stat name={`@${handle} made`}>
                <Gain usd={body.leader.pnlUsd} />
              </Stat>
              <Stat name="Orders">
                <span class="num">{body.follower.orders}</span>
              </Stat>
            </dl>
            <WhereItWent body={body} />
            <p class="soft note">
              {body.skipped.length > 0
                ? `Not copied: ${counted(
                    body.skipped.reduce((sum, { count }) => sum + count, 0),
                    "order",
                  )}. `
                : null}
              One trade says little: <a href={`/traders/${encodeURIComponent(handle)}#copy`}>all of them</a>{" "}
              say more.
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
