// Pictures that a platform draws itself, as SVG text: small, with nothing that could run or be fetched.
import { checked, object, type ReadOf, type WrittenOf } from "../schema.ts";
import { prose } from "../values.ts";

export const IMAGE_KINDS = ["avatar", "token"] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** It must not make a page run or fetch anything. */
const ACTIVE = /<(?:script|foreignObject|iframe|image|use|a)\b|\bon[a-z]+\s*=|href|url\((?!#)|<!|<\?/i;

export const image = checked(object({ svg: prose }), ({ svg }) =>
  svg.startsWith("<svg ") && svg.endsWith("</svg>") && !ACTIVE.test(svg) ? null : "svg",
);
export type WireImage = WrittenOf<typeof image>;
export type PlatformImage = ReadOf<typeof image>;
