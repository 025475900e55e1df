// Handles and display names. A handle is 3 to 20 of a-z, 0-9 and underscore, and no other trader has or had it.
import { chosen, mix, unit } from "./hash.ts";
import { EMOJI, FIRST_NAMES, HANDLE_NOUNS, HANDLE_TRAITS, PLACES, UNICODE_NAMES } from "./trader-words.ts";

const HANDLE = /^[a-z0-9_]{3,20}$/;

/** A handle that is not in `taken`; the caller records it. */
export function freeHandle(key: number, index: number, taken: ReadonlyMap<string, number>): string {
  for (let attempt = 0; ; attempt++) {
    const roll = mix(key, index, attempt);
    const handle = attempt > 4 ? `${composeHandle(roll)}${roll % 100}` : composeHandle(roll);
    if (HANDLE.test(handle) && !taken.has(handle)) return handle;
  }
}

function composeHandle(roll: number): string {
  const noun = chosen(HANDLE_NOUNS, roll, 1);
  const trait = chosen(HANDLE_TRAITS, roll, 2);
  const first = chosen(FIRST_NAMES, roll, 3);
  const number = unit(roll, 4) < 0.3 ? Math.floor(unit(roll, 5) * 10) : Math.floor(unit(roll, 5) * 1000);
  const form = unit(roll, 6);
  if (form < 0.16) return `${trait}${noun}`;
  if (form < 0.26) return `${trait}_${noun}`;
  if (form < 0.36) return `0x${noun}`;
  if (form < 0.46) return `${first}${noun}`;
  if (form < 0.54) return `${first}_${noun}`;
  if (form < 0.62) return `${noun}${number}`;
  if (form < 0.7) return `${first}${number}`;
  if (form < 0.75) return `${first}trades`;
  if (form < 0.79) return `${noun}_${chosen(PLACES, roll, 7)}`;
  if (form < 0.83) return `the${trait}${noun}`;
  if (form < 0.87) return `${first}dot${unit(roll, 8) < 0.5 ? "sol" : "eth"}`;
  if (form < 0.91) return `not${first}`;
  if (form < 0.95) return `${noun}${chosen(HANDLE_NOUNS, roll, 9)}`;
  return `${trait}${first}${number % 100}`;
}

export function displayName(key: number, index: number, handle: string): string {
  const form = unit(key, index, 1);
  const words =
    handle
      .replace(/_/g, " ")
      .replace(/\d+$/, "")
      .replace(/dot(sol|eth)$/, ".$1")
      .replace(/(.)trades$/, "$1 trades")
      .trim() || handle;
  const titled = words.replace(/(^|\s)[a-z]/g, (letter) => letter.toUpperCase());
  if (form < 0.3) return titled;
  if (form < 0.48) return handle;
  if (form < 0.62) return `${titled} ${chosen(EMOJI, key, index, 2)}`;
  if (form < 0.68) return `${chosen(EMOJI, key, index, 3)} ${words}`;
  if (form < 0.73) return chosen(UNICODE_NAMES, key, index, 4);
  if (form < 0.83) return `${titled} (${chosen(["nfa", "🎒", "dnd", "alt", "real"], key, index, 5)})`;
  if (form < 0.9) return titled.toUpperCase();
  if (form < 0.95) return `${titled}.${chosen(["sol", "eth", "base"], key, index, 6)}`;
  return `${titled} ${chosen(["Capital", "Labs", "Research", "Ventures", "& Co"], key, index, 7)}`;
}
