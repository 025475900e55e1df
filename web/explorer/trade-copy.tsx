/** @jsxImportSource preact */
// The result of following this one trade, at the visitor's size and delay.
import type { CopyAnswer, TradeDetail } from "../../client/src/generated.ts";
import { Card, Gain, Stats } from "../shared/bits.tsx";
import { percent } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { pathOf, traderPath } from "./answers.ts";
import { ORDERS_PAID_FOR } from "./card-paths.ts";
import { NotCopied, WhereItWent } from "./copy-card.tsx";
import { useCopySliders } from "./copy-sliders.tsx";

export function TradeCopy({ trade }: { trade: TradeDetail }) {
  const { handle } = trade.trader;
  const { sizeUsd, delaySeconds, isSeen, sliders } = useCopySliders();
  const terms = { size: sizeUsd, capital: sizeUsd * ORDERS_PAID_FOR, delay: delaySeconds };
  const answer = useAnswer<CopyAnswer>(
    isSeen ? pathOf(`${traderPath(handle)}/copy`, { tradeId: trade.tradeId, ...terms }) : null,
  );
  return (
    <Card title="What following it would have earned" id="copy">
      {sliders}
      <Loaded
        answer={answer}
        rows={8}
        isEmpty={(body) => body.follower.orders === 0}
        empty="Nothing of this trade could be copied."
      >
        {(body) => (
          <>
            <Stats
              small
              of={{
                "You would have": <Gain usd={body.follower.pnlUsd} />,
                Return: body.follower.roi === null ? "–" : percent(body.follower.roi * 100),
                [`@${handle} made`]: <Gain usd={body.leader.pnlUsd} />,
                Orders: body.follower.orders,
              }}
            />
            <WhereItWent body={body} />
            <p class="soft note">
              <NotCopied skipped={body.skipped} />
              One trade says little: <a href={`/traders/${encodeURIComponent(handle)}#copy`}>all of them</a>{" "}
              say more.
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
