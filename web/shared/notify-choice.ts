// The visitor's notification settings, kept in this browser next to the watchlist.
import { useEffect, useState } from "preact/hooks";

export interface NotifyChoice {
  /** Every buy, sell and thesis of a followed trader. */
  each: boolean;
  /** This many of them buying the same token; 0 means never. */
  crowd: number;
  /** Also while no page is open, sent by the server; then trades in followed tokens too, if enabled. */
  push: boolean;
  tokens: boolean;
}

export const CROWD_SIZES = [2, 3, 5, 10] as const;
const STORED = "crowdtape-notify";
const CHANGED = "notifychange";
const NEVER: NotifyChoice = { each: false, crowd: 0, push: false, tokens: false };

export function readNotifyChoice(text: string): NotifyChoice {
  try {
    const { each, crowd, push, tokens } = JSON.parse(text) as Partial<NotifyChoice>;
    return {
      each: each === true,
      crowd: CROWD_SIZES.find((size) => size === crowd) ?? 0,
      push: push === true,
      tokens: tokens === true,
    };
  } catch {
    return NEVER;
  }
}

export function notifyChoice(): NotifyChoice {
  try {
    return readNotifyChoice(localStorage.getItem(STORED) ?? "");
  } catch {
    return NEVER;
  }
}

export function keepNotifyChoice(choice: NotifyChoice): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(choice));
  } catch {
    // Without storage the choice can't be kept, so there are no notifications.
  }
  dispatchEvent(new Event(CHANGED));
}

/** Null until the browser has read it. */
export function useNotifyChoice(): NotifyChoice | null {
  const [choice, setChoice] = useState<NotifyChoice | null>(null);
  useEffect(() => {
    const look = () => setChoice(notifyChoice());
    look();
    addEventListener(CHANGED, look);
    addEventListener("storage", look);
    return () => {
      removeEventListener(CHANGED, look);
      removeEventListener("storage", look);
    };
  }, []);
  return choice;
}
