// A well-behaved client next to the attack: it sends requests at an even pace and reads a stream, and records everything it
// did not get.

export interface Steady {
  stop(): Promise<{ asked: number; frames: number; errors: string[] }>;
}

const PACE_MS = 100;

export async function startSteady(url: string, key: string): Promise<Steady> {
  const errors: string[] = [];
  const headers = { authorization: `Bearer ${key}` };
  const paths = ["/v2/leaderboard/24h?limit=5", "/v2/alerts?limit=5", "/v2/me", "/health"];
  let asked = 0;
  let frames = 0;
  let stopping = false;
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/alerts`, { headers } as never);
  socket.onmessage = () => {
    frames++;
  };
  socket.onclose = ({ code }) => {
    if (!stopping) errors.push(`its stream was closed with ${code}`);
  };
  const asking = (async () => {
    while (!stopping) {
      const path = paths[asked++ % paths.length] as string;
      try {
        const response = await fetch(url + path, { headers });
        await response.arrayBuffer();
        if (response.status !== 200) errors.push(`${path} answered ${response.status}`);
      } catch (error) {
        errors.push(`${path} failed: ${error}`);
      }
      await Bun.sleep(PACE_MS);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await asking;
      socket.close();
      return { asked, frames, errors };
    },
  };
}
