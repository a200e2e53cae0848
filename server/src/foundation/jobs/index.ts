export { createJobs, type JobHandler, type JobRun, type Jobs } from './jobs.ts';
