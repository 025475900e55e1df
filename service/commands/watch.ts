// `crowdtape watch URL`: prints a stream's frames, a line each, until it closes or is interrupted.
import { CommandRefused } from "./run.ts";

export async function watch(address: string | undefined): Promise<void> {
  const url = URL.parse(address ?? "");
  if (!url || !["ws:", "wss:"].includes(url.protocol)) {
    throw new CommandRefused('Say which stream: crowdtape watch "ws://127.0.0.1:8080/ws/alerts?type=buy"');
  }
  const socket = new WebSocket(url);
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve;
  });
  socket.onmessage = (message) => console.log(String(message.data));
  process.once("SIGINT", () => socket.close(1000));
  const { code, reason } = await closed;
  if (code !== 1000) throw new CommandRefused(`The stream closed (${code}${reason ? `: ${reason}` : ""}).`);
}
