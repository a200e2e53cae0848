export { readOffers, type FreeDays, type Invitations, type Offers } from './offer.ts';
export { offersView, type Offered } from './offer-view.ts';
