// The suite's two ways to reach a platform: in this process, and over the wire.
import type { Platform } from "./platform.ts";
import { QUESTIONS } from "./questions.ts";
import { answer } from "./server/answer.ts";
import { BadInput } from "./server/input.ts";
import { LIVE_PATH } from "./server/serve.ts";
import type { FeedName } from "./shapes/event.ts";
import type { SuiteAnswer, SuiteSubject } from "./suite.ts";

export function subjectInProcess(platform: Platform): SuiteSubject {
  return {
    async ask(name, given): Promise<SuiteAnswer> {
      const texts = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
      try {
        return await answer(platform.api, name, texts);
      } catch (error) {
        if (error instanceof BadInput) return { kind: "refused" };
        throw error;
      }
    },
    onMove: (listener) => platform.onMove(listener),
    close: () => platform.close(),
  };
}

/** `close` ends what serves it. */
export function subjectOverWire(url: string, close: () => Promise<void>): SuiteSubject {
  return {
    async ask(name, given): Promise<SuiteAnswer> {
      const query = new URLSearchParams();
      let path: string = QUESTIONS[name].path;
      for (const [key, value] of Object.entries(given)) {
        if (path.includes(`:${key}`)) path = path.replace(`:${key}`, encodeURIComponent(String(value)));
        else
          for (const each of key === "token" ? String(value).split(",") : [value])
            query.append(key, String(each));
      }
      const response = await fetch(`${url}${path}?${query}`);
      const value: unknown = await response.json();
      const code = (value as { error?: string }).error;
      if (response.status === 200) return { kind: "found", value };
      if (response.status === 404 && code === "unknown_subject") return { kind: "unknown" };
      if (response.status === 501 && code === "unsupported") return { kind: "unsupported" };
      if (response.status === 400) return { kind: "refused" };
      throw new Error(`${name}: ${response.status}`);
    },
    onMove(listener) {
      const socket = new WebSocket(`${url.replace(/^http/, "ws")}${LIVE_PATH}`);
      socket.onmessage = ({ data }) => listener((JSON.parse(String(data)) as { feed: FeedName }).feed);
      return () => socket.close();
    },
    close,
  };
}
