/** @jsxImportSource preact */
// A trader's followers, and who they follow: as many names as the platform gives, loaded when in view.
import { useState } from "preact/hooks";
import type { FollowersAnswer, FollowingAnswer, Trader } from "../../client/src/generated.ts";
import { Card, Tabs, TraderLink } from "../shared/bits.tsx";
import { count } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { useAnswer } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { pathOf, traderPath } from "./answers.ts";

const NAMES = 12;
const SIDES = [
  ["followers", "Followers"],
  ["following", "Following"],
] as const;
type PeopleSide = (typeof SIDES)[number][0];

/** Either of the two. */
type PeopleAnswer = Partial<Pick<FollowersAnswer, "followers"> & Pick<FollowingAnswer, "following">>;

const EMPTY = { followers: "No one follows them.", following: "They follow no one." } as const;

export function People({ trader }: { trader: Trader }) {
  const [side, choose] = useState<PeopleSide>("followers");
  const [box, isSeen] = useSeen<HTMLDivElement>();
  const known = trader[side] ?? 0;
  const answer = useAnswer<PeopleAnswer>(
    isSeen ? pathOf(`${traderPath(trader.handle)}/${side}`, { limit: NAMES }) : null,
  );
  return (
    <Card
      title="People"
      class="people-card"
      aside={<Tabs label="People" values={SIDES} current={side} onChoose={choose} />}
    >
      <div ref={box}>
        <Loaded
          answer={answer}
          rows={1}
          room={known > 0 ? <PeopleRoom many={Math.min(NAMES, known)} /> : null}
          isEmpty={(body) => (body[side] ?? []).length === 0}
          empty={EMPTY[side]}
        >
          {(body) => {
            const people = body[side] ?? [];
            return (
              <>
                <ul class="people">
                  {people.map((person) => (
                    <li key={person.userId}>
                      <TraderLink handle={person.handle} avatar={person.avatar} verified={person.verified} />
                    </li>
                  ))}
                </ul>
                <p class="soft note">
                  {people.length} of {count(trader[side])}.
                </p>
              </>
            );
          }}
        </Loaded>
      </div>
    </Card>
  );
}

function PeopleRoom({ many }: { many: number }) {
  return (
    <>
      <ul class="people">
        {Array.from({ length: many }, (_, index) => (
          <li key={index}>
            <span class="who">
              <Picture src={null} name="" size={20} />
            </span>
          </li>
        ))}
      </ul>
      <p class="note">–</p>
    </>
  );
}
