export { eachDatabase, freshPostgres } from './databases.ts';
export { openTestApp, turnableClock, type TestApp, type TurnableClock } from './test-app.ts';
