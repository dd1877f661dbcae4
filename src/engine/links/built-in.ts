import { ComputedFrom } from './computed-from.ts'
import { DateRangeFrom } from './date-range-from.ts'
import { FromCookie } from './from-cookie.ts'
import { FromFaker } from './from-faker.ts'
import { FromHeader } from './from-header.ts'
import { FromInput } from './from-input.ts'
import { FromItem } from './from-item.ts'
import { FromJsonFixture } from './from-json-fixture.ts'
import { FromNestedFixture } from './from-nested-fixture.ts'
import { FromUser } from './from-user.ts'
import { registerLink } from './link.ts'
import { WhenInput } from './when-input.ts'

registerLink(FromInput)
registerLink(DateRangeFrom)
registerLink(WhenInput)
registerLink(ComputedFrom)
registerLink(FromHeader)
registerLink(FromCookie)
registerLink(FromUser)
registerLink(FromItem)
registerLink(FromJsonFixture)
registerLink(FromNestedFixture)
registerLink(FromFaker)
