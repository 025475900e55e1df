// Floods of sockets that resume from the beginning of the log with filters that match nothing: each gets its position,
// those above the limit are refused, and calls are still answered meanwhile.
import type { Random } from "../../kit/random.ts";
import { eventually } from "../support/eventually.ts";
import { ask, type Tried } from "./asking.ts";
import type { Subject } from "./subject.ts";

const KEYED = 60;
const KEYLESS = 20;
/** Without a key, from one IP address. */
const KEYLESS_MAX = 2;
const FILTERS = [
  "trader=unknown_handle",
  "source=push&type=buy",
  "minUsd=900000000000",
  "token=NOSUCHTOKEN",
  "trader=unknown_handle&chain=base",
  "userId=00000000-0000-4000-8000-000000000000",
];

interface Flooding {
  socket: WebSocket;
  isKeyed: boolean;
  /** The frames it received, and whether the other side ended it. */
  heard: string[];
  ended: boolean;
}

export async function floodResumes(subject: Subject, random: Random): Promise<Tried> {
  const { key } = await subject.makeKey("scale");
  const epoch = await epochOf(subject, key);
  const open = (isKeyed: boolean): Flooding => {
    const query = `resume=${epoch}.0&${random.pick(FILTERS)}`;
    const socket = new WebSocket(`${subject.url.replace("http", "ws")}/ws/alerts?${query}`, {
      headers: isKeyed ? { authorization: `Bearer ${key}` } : {},
    } as never);
    const one: Flooding = { socket, isKeyed, heard: [], ended: false };
    socket.addEventListener("message", ({ data }) => one.heard.push(JSON.parse(String(data)).type));
    socket.addEventListener("close", () => {
      one.ended = true;
    });
    return one;
  };
  const all = [
    ...Array.from({ length: KEYED }, () => open(true)),
    ...Array.from({ length: KEYLESS }, () => open(false)),
  ];
  const isAnswered = ({ heard, ended }: Flooding) =>
    ended || heard.includes("resumed") || heard.includes("gap");
  const errors: string[] = [];
  let answered = 0;
  await eventually(async () => {
    const { status } = await ask(subject, key, "/v2/me");
    if (status !== 200) errors.push(`a call next to them was answered with ${status}`);
    answered += 1;
    return all.every(isAnswered);
  }, "every socket learns how far it got, or was refused");
  const keyed = all.filter(({ isKeyed }) => isKeyed);
  const cut = keyed.filter(({ ended }) => ended).length;
  if (cut > 0) errors.push(`${cut} of ${KEYED} sockets within the plan were closed`);
  const loose = all.filter(({ isKeyed, ended }) => !isKeyed && !ended).length;
  if (loose > KEYLESS_MAX) errors.push(`${loose} sockets without a key are open`);
  const alerts = all.filter(({ heard }) => heard.includes("alert")).length;
  if (alerts > 0) errors.push(`${alerts} sockets got what their filter does not match`);
  for (const { socket } of all) socket.close();
  if (answered === 0) errors.push("no call was answered next to them");
  return { errors, tried: all.length };
}

async function epochOf(subject: Subject, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const socket = new WebSocket(`${subject.url.replace("http", "ws")}/ws/alerts`, { headers } as never);
  const epoch = await new Promise<string>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data)).epoch));
    socket.addEventListener("close", () => reject(new Error("the socket was refused")));
  });
  socket.close();
  return epoch;
}
