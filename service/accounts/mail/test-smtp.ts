// For tests: a small SMTP server, over a real socket, that keeps what it is given or refuses it as set.
import { createServer, type Socket } from "node:net";

export interface SmtpStandIn {
  url: string;
  mails: { recipients: string[]; data: string }[];
  refusals: number;
  /** From now on answers so to a command; null: as usual. */
  answerTo(command: string, line: string | null): void;
  stop(): Promise<void>;
}

export async function smtpStandIn(): Promise<SmtpStandIn> {
  const answers = new Map<string, string>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const say = (line: string) => socket.write(`${line}\r\n`);
    let pending = "";
    let recipients: string[] = [];
    let data: string[] | null = null;
    const take = (line: string) => {
      if (data !== null) {
        if (line !== ".") return void data.push(line);
        standIn.mails.push({ recipients, data: data.join("\r\n") });
        data = null;
        recipients = [];
        return say("250 Taken");
      }
      const command = line.slice(0, 4).toUpperCase();
      const other = answers.get(command);
      if (other !== undefined) {
        standIn.refusals++;
        return say(other);
      }
      if (command === "RCPT") recipients.push(String(/<([^>]*)>/.exec(line)?.[1]));
      if (command === "QUIT") {
        say("221 Bye");
        return socket.end();
      }
      if (command === "DATA") {
        data = [];
        return say("354 Continue");
      }
      return say("250 Fine");
    };
    socket.on("data", (chunk) => {
      const lines = (pending + chunk.toString("utf8")).split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) take(line);
    });
    say("220 stand-in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const standIn: SmtpStandIn = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    refusals: 0,
    answerTo: (command, line) => void (line === null ? answers.delete(command) : answers.set(command, line)),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return standIn;
}
