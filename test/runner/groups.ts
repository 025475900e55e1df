// Which test files share a process. Most of a short file's time is its start: loading modules and compiling hot functions, the
// same ones for each. Files of one room that leave the process as they found it run one after the other in one, and so do
// those that call a live service, whatever their room.
import type { TestFile } from "./files.ts";

/** Short enough that the last group does not keep other cores waiting for long. */
const GROUP_SECONDS_MAX = 60;

/** Files that use much the same code. */
const roomOf = ({ path, hasService }: TestFile) => {
  if (hasService) return "live services";
  return path.startsWith("test/") ? path.split("/", 2).join("/") : path.split("/", 1)[0];
};

interface Group {
  room: string | undefined;
  files: TestFile[];
  seconds: number;
}

/** The same files give the same groups, so that a failure of one caused by another is reproducible. */
export function groupFiles(files: readonly TestFile[]): TestFile[][] {
  const alone = files.filter(({ sharesProcess }) => !sharesProcess);
  const groups: Group[] = [];
  for (const file of files.filter(({ sharesProcess }) => sharesProcess).sort(byPath)) {
    const room = roomOf(file);
    const fits = (group: Group) => group.room === room && group.seconds + file.seconds <= GROUP_SECONDS_MAX;
    const group = groups.find(fits);
    if (!group) groups.push({ room, files: [file], seconds: file.seconds });
    else {
      group.files.push(file);
      group.seconds += file.seconds;
    }
  }
  return [...groups.map((group) => group.files), ...alone.map((file) => [file])];
}

const byPath = (a: TestFile, b: TestFile) => (a.path < b.path ? -1 : 1);
