export { readOffers, type FreeDays, type Invitations, type Offers } from './offer.ts';
export { offersView } from './offer-view.ts';
