export { eachDatabase, freshPostgres } from './databases.ts';
export { openTestApp, turnableClock, type TestApp, type TurnableClock } from './test-app.ts';
export { PASSWORD, person, type Member, type Person } from './member.ts';
