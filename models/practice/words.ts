/** Words that values are made of, apart from the invented ones. */

const split = (text: string) => text.trim().split(/\s+/);

export const things = split(`
  apple anchor arrow autumn badger bakery ballad balcony bamboo banana barrel basket beacon beetle bicycle biscuit blanket
  blossom boulder bottle branch bread bridge bucket butter button cabin cactus camera canal candle canvas carpet carrot castle
  cedar cellar chapel cheese cherry circus cloud clover coffee comet copper coral cotton cradle crayon cricket crystal cupboard
  curtain cushion daisy dancer desert diary dolphin donkey dragon drawer drum eagle earth easel echo elbow ember engine evening
  falcon feather fern ferry fiddle field flame flute forest fossil fountain fox galaxy garden garlic gate ginger giraffe glacier
  glove goat goose grain grape gravel guitar hammer harbor harvest hawk hazel hedge helmet heron hill honey horizon horse
  hotel hunter iceberg igloo island ivory jacket jasmine jelly jewel journal juniper kayak kettle kitchen kite kitten ladder lagoon
  lake lamp lantern lark lemon leopard letter library lily lizard lobster lotus magnet mango maple marble market meadow melon
  mirror monkey moon morning mosaic mountain muffin museum napkin needle nest nettle nickel night north novel nutmeg oasis ocean
  olive onion opera orange orchard orchid otter oven owl oyster paddle palace panda paper parrot pasta peach peacock pebble
  pencil pepper piano pigeon pillow pine pirate planet plum pocket poem polar pond poppy potato prairie pumpkin puzzle quail quarry
  queen quilt rabbit radio raft rain raven ribbon rice river robin rocket roof rose ruby saddle saffron sail salmon sand sapphire
  saturn scarf school sea shadow sheep shell ship silk silver singer sketch sky snail snow soap sofa soup sparrow spider spoon
  spring squirrel stable station stone storm stove street sugar summer sunset swan table teapot temple thistle thunder ticket tiger
  timber toast tomato torch tower train tree trumpet tulip tunnel turtle umbrella valley vanilla velvet village violet violin voyage
  wagon walnut walrus water whale wheat window winter wolf wood wool yacht yogurt zebra zipper
`);

export const qualities = split(`
  amber ancient big blue bold brave bright broken brown calm clean clever cold cool crisp curious dark deep dry dusty early empty
  fair fancy fast fine fresh frosty gentle giant glad golden grand green grey happy heavy hidden high hollow hot humble icy jolly
  kind large late lazy light little lively lonely long loud lucky mellow merry mild misty modern narrow neat new noble odd old pale
  plain proud pure purple quick quiet rapid rare red rich ripe rough round royal rusty safe salty sharp shiny short shy silent
  simple slow small smooth soft sour spare steep still strange strong sunny sweet swift tall tame tender thin tidy tiny tough warm
  weary wet white wide wild wise young
`);

export const peopleNames = split(`
  Ada Alan Alma Anna Anton Arne Basil Bea Boris Carl Clara Cora Dana David Dora Edgar Elena Ella Emil Erik Eva Felix Fiona Frida
  Greta Gus Hanna Hugo Ida Igor Ines Iris Ivan Jana Jonas Julia Karim Klara Lars Lena Leo Lina Luca Lucy Mara Marco Maria Max Mila
  Mona Nadia Nils Nina Nora Olga Omar Oscar Otto Paul Petra Rosa Ruth Sam Sara Sven Tara Theo Tom Uma Vera Victor Wanda Willa Yara
  Zoe
`);

export const substances = split(`
  acetone ethanol methanol toluene benzene ammonia chlorine sulfur graphite silica glycerol xylene hexane brine bleach lye resin
  epoxy steel copper brass bronze zinc tin lead nickel titanium aluminium cobalt chrome pine oak birch maple plywood cork rubber
  nylon silicone acrylic glass granite slate cement gypsum linen wool cotton hemp leather paraffin beeswax turpentine varnish
`);

export const categories = split(`
  chemicals metals woods plastics textiles solvents ceramics minerals polymers fibers alloys acids bases oils gases paints glues
  resins papers foams stones glass fuels salts
`);

export const folders = split(`
  garden kitchen travel work books health music home recipes projects people daily ideas school tools birds trees letters plans
`);
