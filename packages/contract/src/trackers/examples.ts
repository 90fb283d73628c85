import { bugTrackersExamples } from './bug-trackers.examples.ts';
import { ticketsExamples } from './tickets.examples.ts';

export const examples = { ...bugTrackersExamples, ...ticketsExamples };
