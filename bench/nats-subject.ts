// A NATS server with its WebSocket listener, behind the commands of stream-subject.ts: this program publishes over NATS's own
// protocol, and only the server is measured. Argument: a file with a frame whose text contains MARK.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort, startServer } from "./kit/child.ts";
import { cpuSecondsOf, residentBytesOf } from "./kit/machine.ts";
import { programOf } from "./kit/peers.ts";
import type { Ready, StreamCommand, SubjectUsage } from "./stream-subject.ts";

const frame = readFileSync(process.argv[2] ?? "", "utf8");
const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-nats-"));
const [port, webPort] = [freePort(), freePort()];
const config = join(folder, "nats.conf");
writeFileSync(
  config,
  `listen: "127.0.0.1:${port}"\nwebsocket { listen: "127.0.0.1:${webPort}", no_tls: true }\nmax_connections: 20000\n`,
);
const server = await startServer(
  [programOf("nats-server", "apt-get install nats-server"), "-c", config],
  webPort,
);

let pongs: (() => void)[] = [];
const publisher = await Bun.connect({
  hostname: "127.0.0.1",
  port,
  socket: {
    data(socket, data) {
      const text = data.toString();
      if (text.includes("PING")) socket.write("PONG\r\n");
      if (text.includes("PONG")) for (const pong of pongs.splice(0)) pong();
    },
  },
});
publisher.write('CONNECT {"verbose":false}\r\n');

const publish = (events: number, mark: string): Promise<void> => {
  const texts = Array.from({ length: events }, (_, i) =>
    frame.replace("MARK", i === events - 1 ? mark : "none"),
  );
  publisher.write(texts.map((text) => `PUB all ${Buffer.byteLength(text)}\r\n${text}\r\n`).join(""));
  publisher.write("PING\r\n");
  return new Promise((resolve) => pongs.push(resolve));
};

console.log(JSON.stringify({ port: webPort, path: "/" } satisfies Ready));
for await (const line of createInterface({ input: process.stdin })) {
  const command: StreamCommand = JSON.parse(line);
  if (command.do !== "usage") await publish(command.events, command.mark);
  const usage: SubjectUsage = {
    cpuMicros: cpuSecondsOf(server.pid) * 1e6,
    rssBytes: residentBytesOf(server.pid),
  };
  console.log(JSON.stringify(usage));
}
publisher.terminate();
pongs = [];
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
