/**
 * Usual words in names and summaries of packages. Each is one token in the vocabularies of GPT-2, GPT-4 and GPT-4o, also behind a space. Together with
 * another character before it, it is two at most.
 */
export const usualWords: ReadonlySet<string> = new Set(
  `
access accessible account action actions actor add addon address admin after agent agents alert alias all allows alpha amd an and android
angular animate another ant any api app apple application apps are area arm around array as assert assets ast at atom audio auth auto
available background bar bare base based basic batch be best beta better between big bin binary binding bit bitcoin block blocks body bot
box bridge browser buffer build builder building built bus but button by bytes cache call callback camera can carbon card case chain
change changes channel character chart chat check child chrome circle class classes clean click client clone cloud code codes coin
collection color com command comment comments commerce commit common community compatible complex component config connect connection
console container content context contract control controller cookie copy core country create cross currency current custom dark data
database date debug deep default define design dev development device devices dict did diff digital dir directory display doc docker docs
document dom domain dot download draft draw driver drop duration each easy edge edit editor effect egg element email embed empty end
engine entity entry env environment equal error errors escape etc eth event events example exec export express expression ext external
extra fast feature features field fields file files filter financial find first fix fixed flag flags flat flex float flow focus folder
font for forge fork form format forms foundation framework free friendly from front full function gallery gen generated generation generic
get git github given global google gradient graph grid group handle handler has hash header headers heading health help hex high history
hook host hot html http https hub human icon icons if ignore image images img import in index info information init inline input install
integer interface internal into io ion is iso it item items iterator its java javascript join js json just key keys kit label lambda lang
language last layer layout length less level lib library license light like limit line linear lines link links linux list lists lit live
load loader loading local location lock log login machine magic make management manager map maps mask match material math max media memory
menu message meta metadata method micro min mini mobile mode model models modern module modules monitor more motion multi multiple name
names native nav near net network new next nice no node not number obj object objects of office official on one only open operation
optional options or order org other out output outside over own pack package packages page pages panel paper params parse parser password
paste patch path pattern payment pdf performance phone php pie piece pixel plain plate platform player plugin plugins plus point pool port
position post power powered prefix pretty print private pro process processor product progress project projects prop properties property
prototype proxy public pull pure push query queue quick radio random range rate raw react read reader ready real record red ref reference
related relative release remote remove render replace report request require resource resources response responsive rest result results
rich root route rule rules run runner running runtime rust safe same scale scope screen script scripts scroll search secure security seed
select selection send server service services session set settings setup shape share shared sharp sheet shell side sign simple single site
size small smart snap social socket software solid some sort source space spawn spec special specific split spread sql stack standard
start state static stats status storage store stream string strings strip style styles sub super support switch sync system tab table tag
tags tap tar target task team tech template term test testing tests text that the their them theme things this three through time timeout
timer times tiny title to toggle token tool tools top touch trace tracking transform tree trigger two type types unique unit up update
upload url usage use used user users using util valid value values variable vector version versions via video view virtual visual wait
wallet watch way web when which widget win window windows with within without word words work worker workers working works world wrap
wrapper write writer written xml you your youtube zero zip
`
    .trim()
    .split(/\s+/)
)

/** Pairs of small letters that are no token in at least one of these vocabularies. */
export const rarePairs: ReadonlySet<string> = new Set(
  `
bk bq bv bw bx bz cg cj cq cw cx dg dv dw dz ej eo fh fj fk fq fv fz gf gj gk gq gv gw gx hb hc hf hg hj hk hq hv hx jb jd jf jg jh jk jm
jn jq jr jt jv jw jx jy jz kc kd kf kp kq kv kx kz lg lh lj lk lm lq lw lx lz mf mh mj mq mv mw mz nf nh nj nk nq nx oq pf pj pk pq pv pw
pz qb qc qd qe qf qg qh qj qk qm qn qo qp qr qv qw qx qy qz rj rk rp rq rv rz sj sx sz tb tj tq uq uw vb vf vh vj vk vn vq vw vx vz wc wf
wg wj wq wv wz xg xh xj xk xl xm xn xo xq xr xu xv xw xz yb yc yf yh yj yq yv yw zc zd zf zg zj zk zm zp zq zr zs zt zv zw
`
    .trim()
    .split(/\s+/)
)
