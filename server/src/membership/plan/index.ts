export { plainTrashRule, type TrashRule } from './trash-rule.ts';
export {
  createBenefits,
  entitlementsWith,
  type Benefits,
  type HeldPlan,
  type NewBenefit,
} from './benefit-service.ts';
export { benefitStore } from './benefit-store.ts';
export type { BenefitTables } from './benefit-tables.ts';
export {
  daysLeft,
  isInForce,
  isReserve,
  schedule,
  withGrace,
  type Benefit,
  type Cause,
  type Term,
} from './benefit.ts';
export { trafficLimits, type Entitlements, type TrafficLimits } from './entitlement.ts';
export { planNamed, readPlans, VIP, type Plan, type Plans } from './plan.ts';
export { createPlanMails } from './plan-mail-service.ts';
export { createStorageLimits, type StorageLimits } from './storage-limit-service.ts';
export { BASE, type ExplainedPart } from './storage-limit.ts';
