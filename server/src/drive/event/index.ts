export { mountEvents } from './event-routes.ts';
export { ARRIVALS, createEvents, type Events } from './event-service.ts';
export { createEventStore, type EventStore } from './event-store.ts';
