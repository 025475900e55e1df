// Fan-out as it is usually written with `ws` or Socket.IO: every message to every socket. Speaks the commands of
// stream-subject.ts. Arguments: the packages' folder, the library, a file with a frame whose text contains MARK.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder, library, file] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const frame = readFileSync(file, "utf8");
const server = createServer();

function ws() {
  const { WebSocketServer } = require("ws");
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  return (text) => {
    for (const socket of sockets.clients) socket.send(text);
  };
}

function socketio() {
  const { Server } = require("socket.io");
  // No pings during a run: the clients here do not answer them.
  const io = new Server(server, {
    transports: ["websocket"],
    pingInterval: 3_600_000,
    perMessageDeflate: false,
  });
  return (text) => io.emit("alert", text);
}

const send = { ws, socketio }[library]();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const path = { ws: "/", socketio: "/socket.io/?EIO=4&transport=websocket" }[library];
console.log(JSON.stringify({ port: server.address().port, path }));

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  for (let i = 1; i <= (command.events ?? 0); i++)
    send(frame.replace("MARK", i === command.events ? command.mark : "none"));
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() }));
}
process.exit(0);
