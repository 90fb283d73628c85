import { bugTrackersExamples } from './bug-trackers.examples.ts';
import { ticketsExamples } from './tickets.examples.ts';

export const trackersExamples = { ...bugTrackersExamples, ...ticketsExamples };
