/** What a new person finds on the shelf. */
export const seedDocuments: readonly { id: string; title: string; content: string }[] = [
  {
    id: 'onboarding-guide',
    title: 'Onboarding guide',
    content: `# Onboarding guide

Welcome to Fernwood. This guide takes you through your first two weeks. Your buddy helps you with all of it, so ask early and ask often.

## Before your first day

- You get your laptop and your badge by courier two days before you start.
- Sign the contract and the confidentiality agreement in the HR portal.
- Tell the office team which days you plan to be on site.

## Your first week

1. Set up two-factor authentication for mail, chat and the code host. Without it your accounts are locked after 48 hours.
2. Meet your buddy every morning at 9:30 for fifteen minutes.
3. Read the engineering handbook and the travel policy.
4. Ship one small change to production by Friday. It can be a typo.

## Your second week

- Join the on-call shadow rota for one day.
- Pick your first project together with your lead.
- Write down three things that surprised you and share them in the team retrospective.

## Who to ask

Questions about pay and holidays go to people@fernwood.example. Anything about your machine goes to the help desk in the #it-help channel, which answers within two hours on working days.
`,
  },
  {
    id: 'release-notes-4-2',
    title: 'Release notes 4.2',
    content: `# Release notes 4.2

Released on 12 March. This release makes search faster and gives administrators more control over sharing.

## New

- Search finds words inside attachments (PDF, Word and plain text up to 20 MB).
- Administrators can require an expiry date on every public link.
- Documents show who is reading them right now.

## Improved

- Opening a workspace with more than 10,000 documents takes 0.8 seconds instead of 3.1.
- The editor keeps your place when a colleague changes the text above it.
- Exports to Word keep footnotes and numbered headings.

## Fixed

- Notifications no longer arrive twice after the clock changes.
- Pasting a table from a spreadsheet keeps empty cells.

## Known issues

- On Safari 16 the presence list can lag by up to a minute.
- Links created before version 3.9 ignore the new expiry rule until they are opened once.
`,
  },
  {
    id: 'travel-policy',
    title: 'Travel policy',
    content: `# Travel policy

This policy applies to everyone who travels for Fernwood, including contractors. We trust you to spend company money as carefully as your own. If a rule here makes no sense for your trip, ask your lead before you book, not afterwards.

## Booking

Book through the travel portal at least 14 days ahead. Flights under six hours are economy class. On longer flights premium economy is fine if the meeting is on the day you land. Trains are first class on any trip over two hours, and we prefer them to planes wherever the journey takes less than five hours door to door.

## Hotels

The limit is 160 euros a night including breakfast, or 220 euros in London, Paris, Zurich and New York. If everything decent is above the limit, send your lead a screenshot and book anyway.

## Meals

You get 45 euros a day without receipts. Meals with customers are paid on top and need a receipt and the names of the guests. Alcohol is not refunded, except for a reasonable amount at customer dinners.

## Expenses

Hand in your expenses within 30 days of coming back. Later claims need the approval of the finance lead. We pay on the 15th and on the last working day of each month.

## Safety

Check the foreign office's advice before you book. If something goes wrong, call the 24-hour assistance line on the back of your insurance card first, then your lead.
`,
  },
  {
    id: 'meeting-notes-product-sync',
    title: 'Meeting notes: product sync, 18 March',
    content: `# Product sync, 18 March

Present: Amira, Jonas, Mei, Tomasz. Notes: Mei.

## Decisions

- The new sharing dialog ships to 10 % of workspaces on Monday.
- We drop support for Safari 15 at the end of April.
- The mobile editor waits until offline sync is stable.

## Discussion

Jonas showed the numbers for search inside attachments: 38 % of searches now open an attachment. Amira is worried about indexing costs, which rose by a fifth. Tomasz will try a smaller index for scanned PDFs.

Two customers asked for an audit log of link openings. Nobody knows yet how much work that is.

## Actions

- [ ] Tomasz: measure the smaller index by 25 March
- [ ] Amira: write to all workspaces on Safari 15
- [ ] Mei: interview both customers about the audit log
- [ ] Jonas: prepare the rollback plan for the sharing dialog
`,
  },
  {
    id: 'pricing-faq',
    title: 'Pricing FAQ',
    content: `# Pricing FAQ

Answers that sales and support can send as they are.

## What does it cost?

The Team plan is 9 euros per person and month, the Business plan 16 euros. Both are billed yearly. Paying monthly costs 20 % more.

## Is there a free plan?

Yes, for up to five people and 200 documents, without a time limit.

## Can we get a refund?

Yearly plans are refunded in full within 30 days of the first payment. After that we refund the unused months if the contract ends because of a fault on our side. Monthly plans are not refunded.

## What happens when we add people?

New people are charged for the rest of the year only. When people leave, their seats are credited to the next invoice.

## Do you offer discounts?

Schools and registered charities pay half. Above 250 seats talk to sales; support must not promise numbers.

## Which payment methods do you take?

Card and SEPA direct debit. On the Business plan also invoice, with 30 days to pay.
`,
  },
  {
    id: 'incident-runbook',
    title: 'Incident runbook',
    content: `# Incident runbook

For whoever is on call. Read it once before your first shift.

## 1. Acknowledge

Acknowledge the page within five minutes. Open a channel named after the date and the symptom, for example #inc-0318-login.

## 2. Say who does what

- **Lead**: decides, does not type commands.
- **Hands**: changes things, says each step before doing it.
- **Voice**: updates the status page every 30 minutes.

## 3. Make it stop

Prefer undoing over understanding. Roll back the last deploy first, then switch off the last feature flag, then add capacity.

## 4. Close

The incident is over when the error rate has been normal for 30 minutes. Write the review within three working days, without blame, with at most five actions, each with an owner.
`,
  },
]
