// The text of a thesis or a comment. Built from the facts at the time it was written: the author's own fills and earlier
// theses, their style, and the token's history. The same record always says the same.
import { HOUR_MS } from "../../kit/units.ts";
import type { WireLink } from "../../protocol/protocol.ts";
import { expand, type GrammarFacts, oneOf } from "../words/grammar.ts";
import { ADDED, AFTER_LOSS, AFTER_WIN, AGAIN, FIRST, TRIMMED } from "../words/openings.ts";
import { CURT, EMOJI, FALLEN, FRESH, MAJOR, PLANS, QUIET, RISKS, RUNNING } from "../words/reasons.ts";
import { type TalkTopic, TOPICS } from "../words/talk.ts";
import { chosen, mix, unit } from "../world/hash.ts";
import { network } from "../world/networks.ts";
import type { WorldTrader } from "../world/population.ts";
import { type StyleName, style } from "../world/styles.ts";
import type { WorldToken } from "../world/tokens.ts";
import { type Circumstances, circumstancesOf, factsOf } from "./thesis-facts.ts";
import type { View } from "./view.ts";

export interface Written {
  text: string;
  links: WireLink[];
}

const CURT_CHANCE: Record<StyleName, number> = {
  sniper: 0.3,
  swing: 0.08,
  holder: 0.05,
  whale: 0.06,
  bot: 0,
  bad: 0.25,
};

export function thesisText(view: View, number: number, trader: WorldTrader, token: WorldToken): Written {
  const roll = mix(view.context.key, number, 51);
  const { name } = style(trader.style);
  const seen = circumstancesOf(view, number, token);
  const facts = factsOf(view, token, seen);
  const sentences =
    unit(roll, 1) < CURT_CHANCE[name]
      ? [oneOf(CURT, mix(roll, 2), facts)]
      : compose(name, token, seen, facts, mix(roll, 3));
  let text = voiced(sentences, name, roll);
  if (name !== "bot" && unit(roll, 8) < 0.2) text += ` ${chosen(EMOJI, roll, 9)}`;
  const links = linksOf(view, roll, trader, token);
  for (const { text: shown } of links) text += ` ${shown}`;
  return { text, links };
}

function compose(
  name: StyleName,
  token: WorldToken,
  seen: Circumstances,
  facts: GrammarFacts,
  roll: number,
): string[] {
  const say = (patterns: readonly string[], place: number) => oneOf(patterns, mix(roll, place), facts);
  const sentences = [say(openingOf(name, seen, roll), 1)];
  if (name === "bot") return sentences;
  if (seen.earlierOfToken > 0 && unit(roll, 20) < 0.7) sentences.push(say(AGAIN, 2));
  else if (seen.last !== null && unit(roll, 21) < 0.16)
    sentences.push(say(seen.last.gain > 0 ? AFTER_WIN : AFTER_LOSS, 3));
  // A figure is given only once.
  const add = (sentence: string) => {
    const repeats = sentences.includes(sentence) || sentences.some((said) => sharesFigure(said, sentence));
    if (!repeats) sentences.push(sentence);
  };
  const grounds = groundsOf(token, seen);
  const wordy = { sniper: 0.5, swing: 1.1, holder: 1.5, whale: 0.9, bot: 0, bad: 0.55 }[name];
  if (unit(roll, 22) < 0.55 * wordy) add(say(grounds, 4));
  if (unit(roll, 23) < 0.25 * wordy) add(say(grounds, 5));
  if (unit(roll, 24) < 0.2) add(say(RISKS, 6));
  if (unit(roll, 25) < 0.42) add(say(PLANS, 7));
  return sentences;
}

const FIGURE = /[+-]?\$?\d[\d.]*[%KMBx]?/g;

function sharesFigure(one: string, other: string): boolean {
  const figures = new Set(one.match(FIGURE) ?? []);
  return (other.match(FIGURE) ?? []).some((figure) => figure.length > 3 && figures.has(figure));
}

/** Only people who added to a position say so, and they always do; a bot reports its rule either way. */
function openingOf(name: StyleName, seen: Circumstances, roll: number): readonly string[] {
  if (name !== "bot" && seen.sells > 0) return TRIMMED;
  if (name !== "bot" && seen.buys > 1 && unit(roll, 26) < 0.85) return ADDED;
  return FIRST[name] ?? ADDED;
}

function groundsOf(token: WorldToken, seen: Circumstances): readonly string[] {
  if (token.established) return MAJOR;
  if (seen.ageMs < 5 * HOUR_MS) return FRESH;
  if (seen.fromPeak < -0.6) return FALLEN;
  return seen.dayMove > 0.15 ? RUNNING : QUIET;
}

/** In the typing style of such a person. */
function voiced(sentences: string[], name: StyleName, roll: number): string {
  const apart = unit(roll, 10) < 0.1 ? "\n\n" : " ";
  const text = sentences
    .map((sentence, place) =>
      place < sentences.length - 1 && !/[.!?]$/.test(sentence) ? `${sentence}.` : sentence,
    )
    .join(apart);
  if (name === "bot") return text;
  const isCareless = name === "bad" || (name === "sniper" && unit(roll, 11) < 0.5);
  if (isCareless) return text.toLowerCase().replace(/\.$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `parent` is the number of the comment that it answers, or null. */
export function commentText(
  view: View,
  number: number,
  parent: number | null,
  isAuthor: boolean,
  thesis: number,
  token: WorldToken,
): Written {
  const roll = mix(view.context.key, number, 52);
  const facts = factsOf(view, token, circumstancesOf(view, thesis, token));
  const topic = topicOf(view, parent ?? number);
  const patterns = parent === null ? topic.says : isAuthor ? topic.author : topic.others;
  const text = expand(chosen(patterns, roll, 1), mix(roll, 4), facts);
  return { text: unit(roll, 2) < 0.1 ? `${text} ${chosen(EMOJI, roll, 3)}` : text, links: [] };
}

function topicOf(view: View, number: number): TalkTopic {
  return chosen(TOPICS, view.context.key, number, 57);
}

/** Only to hosts reserved for examples. */
function linksOf(view: View, roll: number, trader: WorldTrader, token: WorldToken): WireLink[] {
  const kind = unit(roll, 12);
  if (kind >= 0.2) return [];
  if (kind < 0.1) {
    const link = `https://charts.example/${network(token.network).slug}/${view.context.tokens.address(token)}`;
    return [{ text: "charts.example", link, provider: "charts" }];
  }
  if (kind < 0.17) {
    const link = `https://social.example/${trader.handle}/post/${mix(roll, 13).toString(36)}`;
    return [{ text: "social.example", link, provider: "social" }];
  }
  const link = `https://video.example/watch/${mix(roll, 14).toString(36)}${mix(roll, 15).toString(36)}`;
  return [{ text: "video.example", link, provider: "video" }];
}
