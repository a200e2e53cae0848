import type { HttpRequest } from '../support/curl.ts';

/**
 * A drive that runs on this machine, with its default database and storage in a folder of its own. Ids are the
 * product's own: a path, or anything else that it accepts.
 */
export interface Product {
  readonly name: string;
  /** Starts it with the data that it has. Resolves when it answers for the first time. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** CPU time used since the start in ms, and resident bytes, of all its processes. */
  usage(): Promise<Usage>;
  /** Creates a member, who makes all requests that aren't a visitor's. */
  signUp(): Promise<void>;
  addFolder(name: string): Promise<string>;
  /** Adds rows of files whose bytes exist already, as many copies of one file. The product must be stopped. */
  addRows(folder: string, count: number): Promise<void>;
  /** Shares a folder with everybody who has the link. */
  share(folder: string): Promise<string>;
  /** The first hundred entries of a folder. */
  listing(folder: string): Promise<HttpRequest>;
  /** The first hundred entries of a share, for a visitor. */
  shareListing(share: string): Promise<HttpRequest>;
  /** Facts about a share that a visitor sees before its entries. */
  shareInformation(share: string): Promise<HttpRequest>;
  /** Smallest request that the server answers. */
  health(): HttpRequest;
  startUpload(folder: string, name: string, size: number): Promise<Upload>;
  /** Address that anybody can download a file from. */
  downloadAddress(file: string): Promise<string>;
  /** Deletes a file for good. */
  remove(file: string): Promise<void>;
  /** Bytes of the database on the disk, with what belongs to it. */
  databaseSize(): Promise<number>;
  /** Stops it and deletes its data. */
  close(): Promise<void>;
}

export interface Usage {
  readonly cpuMs: number;
  readonly memory: number;
}

/** A file that arrives in parts. */
export interface Upload {
  readonly file: string;
  readonly partSize: number;
  /** True if the upload ends with its last part, so that the others have to be there before it. */
  readonly endsWithLastPart: boolean;
  /** Matches replies to parts that have the status of a success and aren't one. */
  readonly refusal?: RegExp;
  /** Request for a part; the first one is 1. */
  part(number: number): HttpRequest;
  /** Ends the upload; `etags` are those of the parts. */
  complete(etags: readonly string[]): Promise<void>;
}
