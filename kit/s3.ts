// Addresses of objects in S3 or a compatible store. Keys and endpoint come from the usual AWS variables
// (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT, or the same with S3_), which Bun's client looks up itself.
import { S3Client } from "bun";

export interface S3Place {
  client: S3Client;
  /** The object, or the prefix of all objects. */
  key: string;
}

export const isS3 = (address: string): boolean => address.startsWith("s3://");

/** Null when it is not of the form s3://bucket/key. */
export function s3Place(address: string): S3Place | null {
  const [, bucket, key = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  return bucket === undefined ? null : { client: new S3Client({ bucket }), key: key.replace(/\/+$/, "") };
}
