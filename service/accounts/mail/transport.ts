// How a mail is sent: by SMTP, or as a file in a folder where no server is set. A file is written atomically, only its
// owner may read it, and the folder never holds more than a bounded number.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface MailMessage {
  mailId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  at: number;
}

export interface MailTransport {
  deliver(message: MailMessage): Promise<void>;
}

/** The server permanently rejected this mail: a retry would not help. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

const CONNECT_MS = 10_000;
/** A server that greets and then says nothing. */
const SILENCE_MS = 20_000;
/** More than anyone reads through by hand; the oldest go first. */
const FILES_MAX = 1_000;

export function smtpTransport(url: string): MailTransport {
  const loading = once(async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    });
  });
  return {
    async deliver(message) {
      const mailer = await loading();
      try {
        await mailer.sendMail(envelope(message));
      } catch (error) {
        const { responseCode } = error as { responseCode?: unknown };
        if (typeof responseCode === "number" && responseCode >= 500) {
          throw new MailRefused(`The mail server refused a mail for good (${responseCode}).`);
        }
        throw error;
      }
    },
  };
}

export function folderTransport(folder: string, filesMax = FILES_MAX): MailTransport {
  const loading = once(async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  });
  return {
    async deliver(message) {
      const mailer = await loading();
      const composed = await mailer.sendMail(envelope(message));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const stamp = new Date(message.at).toISOString().replace(/[:.]/g, "-");
      const name = `${stamp}-${message.mailId.replace(/[^\w-]/g, "_").slice(0, 60)}.eml`;
      const draft = join(folder, `.${name}`);
      writeFileSync(draft, composed.message as Buffer, { mode: 0o600 });
      renameSync(draft, join(folder, name));
      const files = readdirSync(folder).filter((file) => file.endsWith(".eml") && !file.startsWith("."));
      for (const old of files.sort().slice(0, -filesMax)) rmSync(join(folder, old), { force: true });
    },
  };
}

function envelope({ mailId, from, to, subject, text, at }: MailMessage) {
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    // As an object it is one recipient, whatever characters it has.
    to: { name: "", address: to },
    subject,
    text,
    date: new Date(at),
    // The same for every attempt, so that a mail that was sent twice is shown once.
    messageId: `<${mailId.replace(/[^\w-]/g, ".")}@${domain}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
