import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** A person whose device sent data: an installation, by its ID in lower case, or a user ID that the app set. */
export interface DataSubject {
  appId: string;
  kind: 'install' | 'user';
  value: string;
}

/** A data subject's records in one domain. */
export interface SubjectRecords {
  name: string;
  /** Reads all records that are visible anywhere. */
  read(ctx: Ctx, subject: DataSubject): AsyncIterable<object>;
  /** Counts erased records that were received before `until` and are still stored, although no longer visible. */
  countLeft(ctx: Ctx, subject: DataSubject, until: number): Promise<number>;
}

/** Read by the domain `data-requests`. */
export const subjectRecords = defineExtensionPoint<SubjectRecords>('subject-records');
