// One read of the account: its answer or the reason why it has none. A failed read is retried automatically.
import { useEffect, useState } from "preact/hooks";
import { createRetry } from "../shared/retry.ts";
import { sentenceOf } from "./state.ts";

export function useRead<Body>(read: () => Promise<Body>): { body: Body | null; error: string | null } {
  const [body, setBody] = useState<Body | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      try {
        const answer = await read();
        if (isGone) return;
        setBody(answer);
        setError(null);
        retry.succeed();
      } catch (failure) {
        if (isGone) return;
        setError(sentenceOf(failure));
        retry.fail();
      }
    };
    const retry = createRetry(() => void load());
    void load();
    return () => {
      isGone = true;
      retry.stop();
    };
  }, []);
  return { body, error };
}
